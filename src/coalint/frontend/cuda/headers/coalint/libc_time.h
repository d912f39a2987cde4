// time.h and sys/time.h.
#pragma once

COALINT_HOST_DEVICE_BEGIN

typedef long clock_t;
typedef long time_t;
typedef long suseconds_t;
typedef int clockid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char* tm_zone; };
extern "C" {
clock_t clock(void);
time_t time(time_t*);
double difftime(time_t, time_t);
time_t mktime(struct tm*);
struct tm* localtime(const time_t*);
struct tm* gmtime(const time_t*);
char* ctime(const time_t*);
size_t strftime(char*, size_t, const char*, const struct tm*);
int clock_gettime(clockid_t, struct timespec*);
int nanosleep(const struct timespec*, struct timespec*);
int clock_getres(clockid_t, struct timespec*);
int gettimeofday(struct timeval*, void*);
}
namespace std { using ::time_t; using ::clock_t; using ::tm; using ::time; using ::clock; using ::difftime; using ::mktime; using ::localtime; using ::strftime; using ::timespec; }

COALINT_HOST_DEVICE_END

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
