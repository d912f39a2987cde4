// POSIX as host code around kernels uses it: files, directories, processes, threads.
#pragma once

#include "coalint/libc_time.h"
#include "coalint/libc_misc.h"

COALINT_HOST_DEVICE_BEGIN

typedef int pid_t;
typedef unsigned int mode_t, uid_t, gid_t;
typedef unsigned long ino_t, dev_t, nlink_t, pthread_t;
struct stat { dev_t st_dev; ino_t st_ino; mode_t st_mode; nlink_t st_nlink; uid_t st_uid; gid_t st_gid; off_t st_size; long st_blksize, st_blocks; time_t st_atime, st_mtime, st_ctime; };
struct dirent { ino_t d_ino; unsigned char d_type; char d_name[256]; };
typedef struct coalint_directory DIR;
struct option { const char* name; int has_arg; int* flag; int val; };
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss; };
struct rlimit { unsigned long rlim_cur, rlim_max; };
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65]; };
struct pthread_mutex_t { long opaque[5]; };
struct pthread_cond_t { long opaque[6]; };
struct pthread_attr_t { long opaque[7]; };
struct pthread_barrier_t { long opaque[4]; };
struct pthread_rwlock_t { long opaque[7]; };
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
int coalint_next_option(char* const*, const char*);
inline int getopt(int count, char* const* words, const char* known) { return count < 2 ? -1 : coalint_next_option(words, known); }
inline int getopt_long(int count, char* const* words, const char* known, const struct option*, int*) { return count < 2 ? -1 : coalint_next_option(words, known); }
extern char* optarg;
extern int optind, opterr, optopt;
DIR* opendir(const char*);
int backtrace(void**, int); char** backtrace_symbols(void* const*, int); void backtrace_symbols_fd(void* const*, int, int);
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
[[noreturn]] void pthread_exit(void*);
int pthread_detach(pthread_t);
int pthread_cancel(pthread_t);
int pthread_attr_init(pthread_attr_t*);
int pthread_attr_destroy(pthread_attr_t*);
int pthread_barrier_init(pthread_barrier_t*, const void*, unsigned int);
int pthread_barrier_wait(pthread_barrier_t*);
int pthread_barrier_destroy(pthread_barrier_t*);
int pthread_rwlock_rdlock(pthread_rwlock_t*);
int pthread_rwlock_wrlock(pthread_rwlock_t*);
int pthread_rwlock_unlock(pthread_rwlock_t*);
int getopt_long_only(int, char* const*, const char*, const struct option*, int*);
int lstat(const char*, struct stat*);
char* realpath(const char*, char*);
char* basename(char*);
char* dirname(char*);
int fsync(int);
int symlink(const char*, const char*);
int chmod(const char*, mode_t);
unsigned int alarm(unsigned int);
char* mkdtemp(char*);
int posix_fadvise(int, off_t, off_t, int);
int madvise(void*, size_t, int);
unsigned int htonl(unsigned int);
unsigned int ntohl(unsigned int);
}

COALINT_HOST_DEVICE_END

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_DIRECT 040000
#define O_SYNC 04010000
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFREG 0100000
#define S_IRWXU 0700
#define S_IXUSR 0100
#define S_IRWXG 070
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IRWXO 07
#define S_IROTH 04
#define S_IWOTH 02
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_THREAD 1
#define RLIMIT_STACK 3
#define RLIMIT_AS 9
#define PTHREAD_MUTEX_INITIALIZER {}
#define PTHREAD_COND_INITIALIZER {}
#define W_OK 2
#define X_OK 1
#define MAP_POPULATE 0x8000
#define MAP_HUGETLB 0x40000
#define MADV_HUGEPAGE 14
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
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
