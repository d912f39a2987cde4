// errno.h, and the rest of C that host code asks for by name.
#pragma once

COALINT_HOST_DEVICE_BEGIN

extern "C" {
int* __errno_location(void);
void (*signal(int, void (*)(int)))(int);
int raise(int);
int fesetround(int);
int fegetround(void);
int feclearexcept(int);
int fetestexcept(int);
char* setlocale(int, const char*);
struct lconv { char* decimal_point; char* thousands_sep; char* grouping; };
struct lconv* localeconv(void);
}
namespace std { using ::signal; using ::lconv; using ::localeconv; using ::setlocale; }

COALINT_HOST_DEVICE_END

#define errno (*__errno_location())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EINVAL 22
#define ERANGE 34
#define SIGABRT 6
#define SIGINT 2
#define SIGSEGV 11
#define SIGTERM 15
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_ALL_EXCEPT 0x3d
#define LC_ALL 6
