// A file layer that fails: while it is told to, a share of the calls that
// change a database's files fail as those of a broken or full disk do.
//
//   FAILING_FILE     the database; its log and its journal are meant too
//   FAILING_SEED     decides which calls fail
//   FAILING_CONTROL  a file of four bytes, which may change at any time:
//                    the share in percent; what happens (1: EIO, 2: ENOSPC,
//                    4: half is written, and the next write finds no room);
//                    whom it happens to (1: writes, 2: syncs, 4: truncations);
//                    in how many of a hundred cases a thread that wakes another
//                    stands aside, so that the other goes first
//
// A failure comes sooner than a success, so it may overtake whoever asked for
// it. Standing aside makes likely what a busy machine does seldom.
//
// The control file is mapped, so that asking it costs nothing. The shared
// memory beside the log is left alone: SQLite writes to it as to memory.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BROKEN = 1, FULL = 2, SHORT = 4 };
enum { WRITES = 1, SYNCS = 2, TRUNCATIONS = 4 };
enum { CONTROL = 4 };
// Longer than a failing commit takes.
enum { ASIDE_US = 500 };

static const volatile unsigned char *control;
static const char *file;
static uint64_t seed;
static atomic_ulong calls, wakes;
static atomic_int has_no_room;

// The C library's own.
#define REAL(name) ({ static __typeof__(&name) found; if (!found) found = real(#name); found; })

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAILING_CONTROL"), *number = getenv("FAILING_SEED");
    file = getenv("FAILING_FILE");
    if (!path || !number || !file) return;
    seed = strtoull(number, NULL, 10);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) abort();
    void *place = mmap(NULL, CONTROL, PROT_READ, MAP_SHARED, fd, 0);
    if (place == MAP_FAILED) abort();
    control = place;
}

static int is_meant(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    size_t name = strlen(file);
    if (strncmp(path, file, name)) return 0;
    return !path[name] || !strcmp(path + name, "-wal") || !strcmp(path + name, "-journal");
}

// The n-th number of a seed (SplitMix64).
static uint64_t chance(uint64_t n) {
    uint64_t z = seed + n * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// What happens to this call: nothing, or one of those that may.
static int happens(int fd, int call) {
    if (!control || !control[0] || !(control[2] & call) || !is_meant(fd)) return 0;
    if (call == WRITES && atomic_exchange(&has_no_room, 0)) return FULL;
    uint64_t number = chance(atomic_fetch_add(&calls, 1));
    if (number % 100 >= control[0]) return 0;
    int possible[3], many = 0;
    for (int what = BROKEN; what <= SHORT; what <<= 1)
        if (control[1] & what && (what != SHORT || call == WRITES)) possible[many++] = what;
    return many ? possible[(number >> 32) % many] : 0;
}

static int fails(int what) {
    errno = what == FULL ? ENOSPC : EIO;
    return -1;
}

static size_t half(size_t length) {
    atomic_store(&has_no_room, 1);
    return length > 1 ? length / 2 : length;
}

ssize_t pwrite64(int fd, const void *from, size_t length, off64_t at) {
    int what = happens(fd, WRITES);
    if (what == SHORT) length = half(length);
    else if (what) return fails(what);
    return REAL(pwrite64)(fd, from, length, at);
}

ssize_t pwrite(int fd, const void *from, size_t length, off_t at) { return pwrite64(fd, from, length, at); }

ssize_t write(int fd, const void *from, size_t length) {
    int what = happens(fd, WRITES);
    if (what == SHORT) length = half(length);
    else if (what) return fails(what);
    return REAL(write)(fd, from, length);
}

int ftruncate64(int fd, off64_t size) {
    int what = happens(fd, TRUNCATIONS);
    return what ? fails(what) : REAL(ftruncate64)(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

// The process dies, not the machine: the system's own memory is disk enough.
int fsync(int fd) {
    int what = happens(fd, SYNCS);
    return what ? fails(what) : 0;
}

int fdatasync(int fd) { return fsync(fd); }

// Rust's locks and conditions wake by this.
long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
    va_end(rest);
    long result = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    int is_wake = number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_WAKE && result > 0;
    if (is_wake && control && chance(~atomic_fetch_add(&wakes, 1)) % 100 < control[3]) usleep(ASIDE_US);
    return result;
}
