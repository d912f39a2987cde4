// The C library as CUDA code uses it. Names that programs often use for their own globals (time, index, remove) are
// left to the headers that declare them.
#pragma once

COALINT_HOST_DEVICE_BEGIN

typedef __builtin_va_list va_list;
typedef struct coalint_file FILE;

extern "C" {
int printf(const char*, ...);
int fprintf(FILE*, const char*, ...);
int sprintf(char*, const char*, ...);
int snprintf(char*, size_t, const char*, ...);
int vprintf(const char*, va_list);
int vfprintf(FILE*, const char*, va_list);
int vsprintf(char*, const char*, va_list);
int vsnprintf(char*, size_t, const char*, va_list);
int scanf(const char*, ...);
int fscanf(FILE*, const char*, ...);
int sscanf(const char*, const char*, ...);
int puts(const char*);
int putchar(int);
int getchar(void);
int fputs(const char*, FILE*);
int fputc(int, FILE*);
char* fgets(char*, int, FILE*);
int fgetc(FILE*);
int getc(FILE*);
FILE* fopen(const char*, const char*);
int fclose(FILE*);
int fflush(FILE*);
int feof(FILE*);
size_t fread(void*, size_t, size_t, FILE*);
size_t fwrite(const void*, size_t, size_t, FILE*);
int fseek(FILE*, long, int);
long ftell(FILE*);
void rewind(FILE*);
void perror(const char*);
int remove(const char*);
int rename(const char*, const char*);
int ferror(FILE*);
int fileno(FILE*);
FILE* popen(const char*, const char*);
int pclose(FILE*);
FILE* tmpfile(void);
FILE* freopen(const char*, const char*, FILE*);
FILE* fdopen(int, const char*);
void clearerr(FILE*);
int fseeko(FILE*, off_t, int);
off_t ftello(FILE*);
int vsscanf(const char*, const char*, va_list);
int asprintf(char**, const char*, ...);
int vasprintf(char**, const char*, va_list);
void setbuf(FILE*, char*);
int ungetc(int, FILE*);
int putc(int, FILE*);
ssize_t getline(char**, size_t*, FILE*);
int setvbuf(FILE*, char*, int, size_t);
extern FILE *stdin, *stdout, *stderr;

void* malloc(size_t);
void* calloc(size_t, size_t);
void* realloc(void*, size_t);
void* aligned_alloc(size_t, size_t);
int posix_memalign(void**, size_t, size_t);
void free(void*);
void* alloca(size_t);
[[noreturn]] void exit(int);
[[noreturn]] void _exit(int);
[[noreturn]] void _Exit(int);
[[noreturn]] void abort(void);
int atexit(void (*)(void));
char* getenv(const char*);
int setenv(const char*, const char*, int);
int system(const char*);
int atoi(const char*);
long atol(const char*);
long long atoll(const char*);
double atof(const char*);
long strtol(const char*, char**, int);
long long strtoll(const char*, char**, int);
unsigned long strtoul(const char*, char**, int);
unsigned long long strtoull(const char*, char**, int);
double strtod(const char*, char**);
float strtof(const char*, char**);
long double strtold(const char*, char**);
struct div_t { int quot, rem; };
struct ldiv_t { long quot, rem; };
struct lldiv_t { long long quot, rem; };
div_t div(int, int);
ldiv_t ldiv(long, long);
int mkstemp(char*);
int rand(void);
void srand(unsigned int);
int rand_r(unsigned int*);
long random(void);
void srandom(unsigned int);
char* initstate(unsigned int, char*, size_t);
char* setstate(char*);
long lrand48(void);
long mrand48(void);
double erand48(unsigned short*);
long nrand48(unsigned short*);
long jrand48(unsigned short*);
double drand48(void);
void srand48(long);
void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
int unsetenv(const char*);
int putenv(char*);
void quick_exit(int);
void* memalign(size_t, size_t);
void* valloc(size_t);
lldiv_t lldiv(long long, long long);
int mblen(const char*, size_t);
void qsort(void*, size_t, size_t, int (*)(const void*, const void*));

int isalnum(int);
int isalpha(int);
int isdigit(int);
int isxdigit(int);
int isspace(int);
int isupper(int);
int islower(int);
int ispunct(int);
int isprint(int);
int iscntrl(int);
int toupper(int);
int tolower(int);

void* memcpy(void*, const void*, size_t);
void* memmove(void*, const void*, size_t);
void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t);
size_t strlen(const char*);
int strcmp(const char*, const char*);
int strncmp(const char*, const char*, size_t);
int strcasecmp(const char*, const char*);
int strncasecmp(const char*, const char*, size_t);
char* strcpy(char*, const char*);
char* strncpy(char*, const char*, size_t);
char* strcat(char*, const char*);
char* strncat(char*, const char*, size_t);
char* strtok(char*, const char*);
char* strdup(const char*);
char* strerror(int);
char* strsep(char**, const char*);
char* strtok_r(char*, const char*, char**);
char* strndup(const char*, size_t);
char* stpcpy(char*, const char*);
size_t strnlen(const char*, size_t);
size_t strspn(const char*, const char*);
size_t strcspn(const char*, const char*);
int strcoll(const char*, const char*);
size_t strxfrm(char*, const char*, size_t);
void* mempcpy(void*, const void*, size_t);
void bzero(void*, size_t);
void bcopy(const void*, void*, size_t);
int bcmp(const void*, const void*, size_t);
char* index(const char*, int);
char* rindex(const char*, int);
int ffs(int);
int ffsl(long);
int ffsll(long long);
int isblank(int);
int isgraph(int);
int isascii(int);
int toascii(int);
}
const void* memchr(const void*, int, size_t);
void* memchr(void*, int, size_t);
const char* strchr(const char*, int);
char* strchr(char*, int);
const char* strrchr(const char*, int);
char* strrchr(char*, int);
const char* strstr(const char*, const char*);
char* strstr(char*, const char*);
const char* strpbrk(const char*, const char*);
char* strpbrk(char*, const char*);
const char* strcasestr(const char*, const char*);

void __coalint_assert(bool condition);

COALINT_HOST_DEVICE_END

#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)

#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __coalint_assert(static_cast<bool>(__VA_ARGS__))
#endif

#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX __INT_MAX__
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LONG_MIN (-LONG_MAX - 1L)
#define LONG_MAX __LONG_MAX__
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define LLONG_MAX __LONG_LONG_MAX__
#define ULLONG_MAX (LLONG_MAX * 2ULL + 1ULL)
#define PATH_MAX 4096

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-INT32_MAX - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define UINT_LEAST8_MAX 255
#define UINT_LEAST16_MAX 65535
#define UINT_LEAST32_MAX 4294967295U
#define UINT_LEAST64_MAX 18446744073709551615UL
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN (-WCHAR_MAX - 1)
#define INT64_MAX __INT64_MAX__
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX __UINT64_MAX__
#define INTPTR_MAX __INTPTR_MAX__
#define UINTPTR_MAX __UINTPTR_MAX__
#define PTRDIFF_MAX __PTRDIFF_MAX__
#define SIZE_MAX __SIZE_MAX__
#define INT8_C(v) v
#define INT16_C(v) v
#define INT32_C(v) v
#define INT64_C(v) v##L
#define UINT8_C(v) v
#define UINT16_C(v) v
#define UINT32_C(v) v##U
#define UINT64_C(v) v##UL

#define PRId8 "d"
#define PRIi8 "i"
#define PRIu8 "u"
#define PRIx8 "x"
#define PRIX8 "X"
#define PRId16 "d"
#define PRIi16 "i"
#define PRIu16 "u"
#define PRIx16 "x"
#define PRIX16 "X"
#define PRId32 "d"
#define PRIi32 "i"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIX32 "X"
#define PRId64 "ld"
#define PRIi64 "li"
#define PRIu64 "lu"
#define PRIx64 "lx"
#define PRIX64 "lX"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#define SCNd64 "ld"
#define SCNu64 "lu"

#define FLT_RADIX 2
#define FLT_MANT_DIG __FLT_MANT_DIG__
#define FLT_DIG __FLT_DIG__
#define FLT_EPSILON __FLT_EPSILON__
#define FLT_MIN __FLT_MIN__
#define FLT_MAX __FLT_MAX__
#define FLT_MIN_EXP __FLT_MIN_EXP__
#define FLT_MAX_EXP __FLT_MAX_EXP__
#define DBL_MANT_DIG __DBL_MANT_DIG__
#define DBL_DIG __DBL_DIG__
#define DBL_EPSILON __DBL_EPSILON__
#define DBL_MIN __DBL_MIN__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN_EXP __DBL_MIN_EXP__
#define DBL_MAX_EXP __DBL_MAX_EXP__
#define LDBL_EPSILON __LDBL_EPSILON__
#define LDBL_MIN __LDBL_MIN__
#define LDBL_MAX __LDBL_MAX__
#define LDBL_MANT_DIG __LDBL_MANT_DIG__
#define LDBL_DIG __LDBL_DIG__
#define LDBL_MIN_EXP __LDBL_MIN_EXP__
#define LDBL_MAX_EXP __LDBL_MAX_EXP__
