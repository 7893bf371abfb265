/* Lets one call of the system or of the allocator fail: for LD_PRELOAD. `arm` says which one, from now on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int armed, error;
static long at, times, files, memory;

enum { NOTHING, FILES, MEMORY };

/* The n-th call of this kind fails, and those after it, `many` in all. */
void arm(int kind, long n, long many, int code) { files = memory = 0; at = n, times = many, error = code, armed = kind; }
void disarm(void) { armed = NOTHING; }
long calls(int kind) { return kind == MEMORY ? memory : files; }

static int fails(int kind) {
    if (armed != kind) return 0;
    long n = kind == MEMORY ? memory++ : files++;
    if (n < at || n >= at + times) return 0;
    errno = kind == MEMORY ? ENOMEM : error;
    return 1;
}

void *malloc(size_t n) { return fails(MEMORY) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails(MEMORY) ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails(MEMORY) ? NULL : __libc_realloc(p, n); }

#define CALL(type, name, no, given, ...)                                  \
    type name given {                                                     \
        static type(*real) given;                                         \
        if (!real) real = (type(*) given)dlsym(RTLD_NEXT, #name);         \
        if (fails(FILES)) return no;                                      \
        return real(__VA_ARGS__);                                         \
    }

#define OPENS(name)                                                       \
    int name(const char *path, int how, ...) {                            \
        static int (*real)(const char *, int, ...);                       \
        if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
        va_list more;                                                     \
        va_start(more, how);                                              \
        mode_t mode = how & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                     \
        return fails(FILES) ? -1 : real(path, how, mode);                 \
    }

#define CONTROLS(name)                                                    \
    int name(int fd, int what, ...) {                                     \
        static int (*real)(int, int, ...);                                \
        if (!real) real = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \
        va_list more;                                                     \
        va_start(more, what);                                             \
        void *given = va_arg(more, void *);                               \
        va_end(more);                                                     \
        return fails(FILES) ? -1 : real(fd, what, given);                 \
    }

OPENS(open)
OPENS(open64)
CONTROLS(fcntl)
CONTROLS(fcntl64)
CALL(ssize_t, read, -1, (int fd, void *to, size_t n), fd, to, n)
CALL(ssize_t, pread, -1, (int fd, void *to, size_t n, off_t o), fd, to, n, o)
CALL(ssize_t, pread64, -1, (int fd, void *to, size_t n, off64_t o), fd, to, n, o)
CALL(ssize_t, write, -1, (int fd, const void *from, size_t n), fd, from, n)
CALL(ssize_t, pwrite, -1, (int fd, const void *from, size_t n, off_t o), fd, from, n, o)
CALL(ssize_t, pwrite64, -1, (int fd, const void *from, size_t n, off64_t o), fd, from, n, o)
CALL(int, fsync, -1, (int fd), fd)
CALL(int, fdatasync, -1, (int fd), fd)
CALL(int, ftruncate, -1, (int fd, off_t n), fd, n)
CALL(int, ftruncate64, -1, (int fd, off64_t n), fd, n)
CALL(off_t, lseek, -1, (int fd, off_t o, int from), fd, o, from)
CALL(off64_t, lseek64, -1, (int fd, off64_t o, int from), fd, o, from)
CALL(int, stat, -1, (const char *path, struct stat *to), path, to)
CALL(int, stat64, -1, (const char *path, struct stat64 *to), path, to)
CALL(int, lstat, -1, (const char *path, struct stat *to), path, to)
CALL(int, lstat64, -1, (const char *path, struct stat64 *to), path, to)
CALL(int, fstat, -1, (int fd, struct stat *to), fd, to)
CALL(int, fstat64, -1, (int fd, struct stat64 *to), fd, to)
CALL(int, fstatat, -1, (int d, const char *path, struct stat *to, int how), d, path, to, how)
CALL(int, fstatat64, -1, (int d, const char *path, struct stat64 *to, int how), d, path, to, how)
CALL(int, access, -1, (const char *path, int how), path, how)
CALL(int, faccessat, -1, (int d, const char *path, int what, int how), d, path, what, how)
CALL(int, unlink, -1, (const char *path), path)
CALL(int, mkdir, -1, (const char *path, mode_t mode), path, mode)
CALL(int, chmod, -1, (const char *path, mode_t mode), path, mode)
CALL(int, fchmod, -1, (int fd, mode_t mode), fd, mode)
CALL(int, rename, -1, (const char *from, const char *to), from, to)
CALL(ssize_t, readlink, -1, (const char *path, char *to, size_t n), path, to, n)
CALL(char *, getcwd, NULL, (char *to, size_t n), to, n)
CALL(void *, mmap, MAP_FAILED, (void *p, size_t n, int may, int how, int fd, off_t o), p, n, may, how, fd, o)
CALL(void *, mmap64, MAP_FAILED, (void *p, size_t n, int may, int how, int fd, off64_t o), p, n, may, how, fd, o)

int close(int fd) { /* the number is free again, whatever is said */
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "close");
    int no = fails(FILES), done = real(fd);
    if (no) errno = error;
    return no ? -1 : done;
}
