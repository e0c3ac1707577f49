/*
 * A Tailscale node inside the process, for collie/tailnet.
 *
 * Every call returns 0, or -1 with the reason in ct_last_error. A handle is used by one thread at a time; calls that
 * wait say so. Strings are UTF-8 and NUL-terminated. No call prints or logs.
 */
#ifndef COLLIE_TAILNET_H
#define COLLIE_TAILNET_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t ct_handle;

/* A node that keeps its state in `dir` (0700) and is called `hostname`; `control_url` and `auth_key` may be empty. */
int ct_new(const char *dir, const char *hostname, const char *control_url, const char *auth_key,
           const char *tags, ct_handle *out);

/* Start it; does not wait for the login. */
int ct_up(ct_handle node);

/* Its status, or who is behind `address` ("ip:port"), as JSON into `buffer`; -1 when `size` is too small. */
int ct_status(ct_handle node, char *buffer, size_t size);
int ct_whois(ct_handle node, const char *address, char *buffer, size_t size);

/* Listen on `port`. `*fd` becomes readable when a connection waits. */
int ct_listen(ct_handle node, uint16_t port, int *fd);

/* Take one connection: its descriptor, which the caller owns, and its caller's "ip:port", delivered together. */
int ct_accept(ct_handle node, int *fd, char *address, size_t size);

/* Connect; waits at most `timeout_ms`. The caller owns `*fd`. */
int ct_dial(ct_handle node, const char *host, uint16_t port, int32_t timeout_ms, int *fd);

/* Look at the machine's networks again after they changed. */
int ct_rebind(ct_handle node);

/* Leave and release the handle. */
int ct_close(ct_handle node);

/* Why the last call on this handle failed. */
int ct_last_error(ct_handle node, char *buffer, size_t size);

#endif
