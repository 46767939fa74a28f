// A file layer that forgets: what is written to a database is kept in memory
// and reaches the file only when it is synced. A process that is killed takes
// with it whatever it had not synced, as a machine does that loses power.
//
//   UNSYNCED_DIR  files below it are meant: *.db, *-wal, *-journal, *.db.partial
//   UNSYNCED_LIE  "wal", "db", ...: syncing these does nothing
//   UNSYNCED_DIE  "KIND:OP:N": die at the N-th operation OP ("w" write,
//                         "s" sync) on files of that kind ("any": all of them)
//   UNSYNCED_TEAR a number: some of what was not synced is there after
//                         such a death all the same, chosen by that number
//
// The shared memory beside the log is left alone: SQLite never trusts it after a crash.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BLOCK 4096
#define FDS 65536

struct file {
    struct file *next;
    dev_t dev;
    ino_t ino;
    const char *kind;
    char *data;
    unsigned char *dirty; // one byte for each block
    size_t size, room, real;
};

static struct file *files;
static struct file *open_files[FDS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long operations;

// The C library's own.
#define REAL(name) ({ static __typeof__(&name) found; if (!found) found = real(#name); found; })

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static int ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static const char *kind_of(const char *path) {
    const char *dir = getenv("UNSYNCED_DIR");
    if (!dir || !path || strncmp(path, dir, strlen(dir))) return NULL;
    if (ends_with(path, ".db")) return "db";
    if (ends_with(path, "-wal")) return "wal";
    if (ends_with(path, "-journal")) return "journal";
    if (ends_with(path, ".db.partial")) return "partial";
    return NULL;
}

static void make_room(struct file *f, size_t size) {
    if (size <= f->room) return;
    size_t room = f->room ? f->room : 64 * BLOCK;
    while (room < size) room *= 2;
    f->data = realloc(f->data, room);
    f->dirty = realloc(f->dirty, room / BLOCK);
    if (!f->data || !f->dirty) abort();
    memset(f->data + f->room, 0, room - f->room);
    memset(f->dirty + f->room / BLOCK, 0, (room - f->room) / BLOCK);
    f->room = room;
}

static void touch(struct file *f, size_t from, size_t to) {
    for (size_t block = from / BLOCK; block * BLOCK < to; block++) f->dirty[block] = 1;
}

static void resize(struct file *f, size_t size) {
    make_room(f, size);
    if (size < f->size) {
        memset(f->data + size, 0, f->size - size);
        touch(f, size, f->size);
    } else {
        touch(f, f->size, size);
    }
    f->size = size;
}

static struct file *known(dev_t dev, ino_t ino) {
    for (struct file *f = files; f; f = f->next)
        if (f->dev == dev && f->ino == ino) return f;
    return NULL;
}

static struct file *of(int fd) { return fd >= 0 && fd < FDS ? open_files[fd] : NULL; }

// Writes blocks to the file: all that are dirty, or some of them by chance.
static int flush(struct file *f, int fd, int torn) {
    if (!torn && f->real != f->size) {
        if (REAL(ftruncate64)(fd, f->size)) return -1;
        f->real = f->size;
    }
    for (size_t at = 0; at < f->size; at += BLOCK) {
        if (!f->dirty[at / BLOCK] || (torn && rand() % 2)) continue;
        size_t length = f->size - at < BLOCK ? f->size - at : BLOCK;
        if (REAL(pwrite64)(fd, f->data + at, length, at) != (ssize_t)length) return -1;
        f->dirty[at / BLOCK] = 0;
    }
    return 0;
}

static void die(void) {
    const char *tear = getenv("UNSYNCED_TEAR");
    if (tear) {
        srand(atoi(tear));
        for (int fd = 0; fd < FDS; fd++)
            if (open_files[fd]) flush(open_files[fd], fd, 1);
    }
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void operation(struct file *f, char op) {
    const char *when = getenv("UNSYNCED_DIE");
    char kind[16], which;
    long number;
    if (!when || sscanf(when, "%15[a-z]:%c:%ld", kind, &which, &number) != 3) return;
    if (which != op || (strcmp(kind, "any") && strcmp(kind, f->kind))) return;
    if (++operations == number) die();
}

static int opened(int fd, const char *kind, int flags) {
    struct stat64 about;
    if (fd < 0 || fd >= FDS || !kind || REAL(fstat64)(fd, &about) || !S_ISREG(about.st_mode)) return fd;
    pthread_mutex_lock(&mutex);
    struct file *f = known(about.st_dev, about.st_ino);
    if (!f) {
        f = calloc(1, sizeof *f);
        if (!f) abort();
        f->dev = about.st_dev, f->ino = about.st_ino, f->kind = kind;
        f->next = files, files = f;
        make_room(f, about.st_size + 1);
        for (size_t at = 0; at < (size_t)about.st_size;) {
            ssize_t got = REAL(pread64)(fd, f->data + at, about.st_size - at, at);
            if (got <= 0) abort();
            at += got;
        }
        f->size = f->real = about.st_size;
    }
    if (flags & O_TRUNC) resize(f, 0);
    open_files[fd] = f;
    pthread_mutex_unlock(&mutex);
    return fd;
}

// The name goes away; whoever has the file open keeps it.
static void forget(const char *path) {
    struct stat64 about;
    if (REAL(stat64)(path, &about)) return;
    pthread_mutex_lock(&mutex);
    struct file *f = known(about.st_dev, about.st_ino);
    if (f && about.st_nlink == 1) f->dev = 0, f->ino = 0;
    pthread_mutex_unlock(&mutex);
}

#define MODE(flags) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }
#define KEPT(flags, kind) (kind ? flags & ~O_TRUNC : flags)

int open(const char *path, int flags, ...) {
    MODE(flags)
    const char *kind = kind_of(path);
    return opened(REAL(open)(path, KEPT(flags, kind), mode), kind, flags);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    const char *kind = kind_of(path);
    return opened(REAL(open64)(path, KEPT(flags, kind), mode), kind, flags);
}

int openat(int dir, const char *path, int flags, ...) {
    MODE(flags)
    const char *kind = kind_of(path);
    return opened(REAL(openat)(dir, path, KEPT(flags, kind), mode), kind, flags);
}

int openat64(int dir, const char *path, int flags, ...) {
    MODE(flags)
    const char *kind = kind_of(path);
    return opened(REAL(openat64)(dir, path, KEPT(flags, kind), mode), kind, flags);
}

int close(int fd) {
    if (of(fd)) {
        pthread_mutex_lock(&mutex);
        open_files[fd] = NULL;
        pthread_mutex_unlock(&mutex);
    }
    return REAL(close)(fd);
}

ssize_t pread64(int fd, void *to, size_t length, off64_t at) {
    struct file *f = of(fd);
    if (!f) return REAL(pread64)(fd, to, length, at);
    pthread_mutex_lock(&mutex);
    size_t there = (size_t)at < f->size ? f->size - at : 0;
    if (length > there) length = there;
    memcpy(to, f->data + at, length);
    pthread_mutex_unlock(&mutex);
    return length;
}

ssize_t pwrite64(int fd, const void *from, size_t length, off64_t at) {
    struct file *f = of(fd);
    if (!f) return REAL(pwrite64)(fd, from, length, at);
    pthread_mutex_lock(&mutex);
    operation(f, 'w');
    if (at + length > f->size) resize(f, at + length);
    memcpy(f->data + at, from, length);
    touch(f, at, at + length);
    pthread_mutex_unlock(&mutex);
    return length;
}

ssize_t pread(int fd, void *to, size_t length, off_t at) { return pread64(fd, to, length, at); }

ssize_t pwrite(int fd, const void *from, size_t length, off_t at) { return pwrite64(fd, from, length, at); }

// The kernel keeps the place; what is there is ours.
ssize_t read(int fd, void *to, size_t length) {
    if (!of(fd)) return REAL(read)(fd, to, length);
    off64_t at = REAL(lseek64)(fd, 0, SEEK_CUR);
    ssize_t got = pread64(fd, to, length, at);
    REAL(lseek64)(fd, at + got, SEEK_SET);
    return got;
}

ssize_t write(int fd, const void *from, size_t length) {
    if (!of(fd)) return REAL(write)(fd, from, length);
    off64_t at = REAL(lseek64)(fd, 0, SEEK_CUR);
    ssize_t put = pwrite64(fd, from, length, at);
    REAL(lseek64)(fd, at + put, SEEK_SET);
    return put;
}

// What is cut off is gone at once: a file system may keep that promise first.
int ftruncate64(int fd, off64_t size) {
    struct file *f = of(fd);
    if (!f) return REAL(ftruncate64)(fd, size);
    pthread_mutex_lock(&mutex);
    operation(f, 'w');
    int result = 0;
    if ((size_t)size < f->real) {
        result = REAL(ftruncate64)(fd, size);
        f->real = size;
    }
    resize(f, size);
    pthread_mutex_unlock(&mutex);
    return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

// The process dies, not the machine: the system's own memory is disk enough.
int fsync(int fd) {
    struct file *f = of(fd);
    if (!f) return 0;
    const char *lie = getenv("UNSYNCED_LIE");
    if (lie && (!strcmp(lie, "any") || !strcmp(lie, f->kind))) return 0;
    pthread_mutex_lock(&mutex);
    operation(f, 's');
    int result = flush(f, fd, 0);
    pthread_mutex_unlock(&mutex);
    return result;
}

int fdatasync(int fd) { return fsync(fd); }

static void correct(struct stat64 *about) {
    pthread_mutex_lock(&mutex);
    struct file *f = known(about->st_dev, about->st_ino);
    if (f) about->st_size = f->size;
    pthread_mutex_unlock(&mutex);
}

int fstat64(int fd, struct stat64 *about) {
    int result = REAL(fstat64)(fd, about);
    struct file *f = of(fd);
    if (!result && f) about->st_size = f->size;
    return result;
}

int stat64(const char *path, struct stat64 *about) {
    int result = REAL(stat64)(path, about);
    if (!result) correct(about);
    return result;
}

int lstat64(const char *path, struct stat64 *about) {
    int result = REAL(lstat64)(path, about);
    if (!result) correct(about);
    return result;
}

int statx(int dir, const char *path, int flags, unsigned int mask, struct statx *about) {
    int result = REAL(statx)(dir, path, flags, mask, about);
    if (result) return result;
    pthread_mutex_lock(&mutex);
    struct file *f = known(makedev(about->stx_dev_major, about->stx_dev_minor), about->stx_ino);
    if (f) about->stx_size = f->size;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int fstat(int fd, struct stat *about) { return fstat64(fd, (struct stat64 *)about); }

int stat(const char *path, struct stat *about) { return stat64(path, (struct stat64 *)about); }

int lstat(const char *path, struct stat *about) { return lstat64(path, (struct stat64 *)about); }

int unlink(const char *path) {
    if (kind_of(path)) forget(path);
    return REAL(unlink)(path);
}

int rename(const char *from, const char *to) {
    forget(to);
    return REAL(rename)(from, to);
}
