// POSIX as host code around kernels uses it: files, directories, processes, threads.
#pragma once

#include "coalint/libc_time.h"
#include "coalint/libc_misc.h"

COALINT_HOST_DEVICE_BEGIN

typedef int pid_t;
typedef unsigned int mode_t, uid_t, gid_t;
typedef unsigned long ino_t, dev_t, nlink_t, pthread_t;
struct stat { dev_t st_dev; ino_t st_ino; mode_t st_mode; off_t st_size; time_t st_mtime; };
struct dirent { ino_t d_ino; unsigned char d_type; char d_name[256]; };
typedef struct coalint_directory DIR;
struct option { const char* name; int has_arg; int* flag; int val; };
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss; };
struct rlimit { unsigned long rlim_cur, rlim_max; };
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65]; };
struct pthread_mutex_t { long opaque[5]; };
struct pthread_cond_t { long opaque[6]; };
struct pthread_attr_t { long opaque[7]; };
struct glob_t { size_t gl_pathc; char** gl_pathv; size_t gl_offs; };
extern "C" {
int open(const char*, int, ...);
int close(int);
ssize_t read(int, void*, size_t);
ssize_t write(int, const void*, size_t);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int unlink(const char*);
int access(const char*, int);
int mkdir(const char*, mode_t);
int rmdir(const char*);
int stat(const char*, struct stat*);
int fstat(int, struct stat*);
char* getcwd(char*, size_t);
int chdir(const char*);
int gethostname(char*, size_t);
pid_t getpid(void);
pid_t getppid(void);
pid_t fork(void);
int execv(const char*, char* const*);
int execvp(const char*, char* const*);
pid_t waitpid(pid_t, int*, int);
int kill(pid_t, int);
int pipe(int*);
int dup2(int, int);
int usleep(unsigned int);
unsigned int sleep(unsigned int);
long sysconf(int);
int isatty(int);
int getopt(int, char* const*, const char*);
int getopt_long(int, char* const*, const char*, const struct option*, int*);
extern char* optarg;
extern int optind, opterr, optopt;
DIR* opendir(const char*);
struct dirent* readdir(DIR*);
int closedir(DIR*);
void* mmap(void*, size_t, int, int, int, off_t);
int munmap(void*, size_t);
int mlock(const void*, size_t);
int shm_open(const char*, int, mode_t);
int shm_unlink(const char*);
int getrusage(int, struct rusage*);
int getrlimit(int, struct rlimit*);
int setrlimit(int, const struct rlimit*);
int uname(struct utsname*);
void* dlopen(const char*, int);
void* dlsym(void*, const char*);
int dlclose(void*);
char* dlerror(void);
int glob(const char*, int, int (*)(const char*, int), glob_t*);
void globfree(glob_t*);
int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int pthread_join(pthread_t, void**);
int pthread_mutex_init(pthread_mutex_t*, const void*);
int pthread_mutex_lock(pthread_mutex_t*);
int pthread_mutex_unlock(pthread_mutex_t*);
int pthread_mutex_destroy(pthread_mutex_t*);
int pthread_cond_init(pthread_cond_t*, const void*);
int pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*);
int pthread_cond_signal(pthread_cond_t*);
int pthread_cond_broadcast(pthread_cond_t*);
int pthread_cond_destroy(pthread_cond_t*);
pthread_t pthread_self(void);
unsigned int htonl(unsigned int);
unsigned int ntohl(unsigned int);
}

COALINT_HOST_DEVICE_END

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_TRUNC 01000
#define F_OK 0
#define R_OK 4
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 0x20
#define MAP_FAILED ((void*)-1)
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
#define no_argument 0
#define required_argument 1
#define optional_argument 2
