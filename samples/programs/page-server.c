/*
 * The work of a small web server without its sockets: requests are made up, parsed, authenticated, routed, rendered from a tree of
 * template nodes, compressed and "sent". Built twice: as it is (before), and with -DROUTE_HASH (after), where routes are found in a
 * hash table instead of by trying one after the other. Two workers serve 6,000 requests a second each, so both builds do the same work.
 * Prints the number of requests served each second.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Each step stays a function of its own in the profile. */
#define STEP __attribute__((noinline)) static
/* gcc gives a function that calls nothing no frame pointer, whatever its options: perf would skip its caller. This makes one. */
#define LEAF_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

enum { ROUTES = 1600, HEADERS = 12, BODY_BYTES = 24 * 1024, SLOTS = 4096, SESSIONS = 20000, TICK_NS = 2000000, TICK_REQUESTS = 12 };

struct text {
  char *bytes;
  size_t length, capacity;
};

struct header {
  const char *name, *value;
};

struct request {
  char raw[2048];
  char *method, *path;
  struct header headers[HEADERS];
  int header_count;
};

struct node {
  enum { LITERAL, VALUE, LIST } kind;
  const char *literal;
  const struct node *children;
  int child_count, repeat;
};

struct route {
  char path[64];
  const struct node *page;
};

struct session {
  uint64_t token;
  long expires;
};

static struct route routes[ROUTES];
static struct session sessions[SESSIONS];
static unsigned long served;
volatile int expired;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return *state >> 33;
}

STEP void append_text(struct text *out, const char *bytes, size_t length) {
  if (out->length + length > out->capacity) return;
  memcpy(out->bytes + out->length, bytes, length);
  out->length += length;
}

static void append_string(struct text *out, const char *string) { append_text(out, string, strlen(string)); }

STEP void append_number(struct text *out, uint64_t number, unsigned base) {
  char digits[24];
  int at = sizeof digits;
  do digits[--at] = "0123456789abcdef"[number % base];
  while ((number /= base) != 0);
  append_text(out, digits + at, sizeof digits - at);
}

static const struct node row_nodes[] = {
  {LITERAL, "<tr><td class=\"name\">", 0, 0, 1},
  {VALUE, 0, 0, 0, 1},
  {LITERAL, "</td><td class=\"price\">", 0, 0, 1},
  {VALUE, 0, 0, 0, 1},
  {LITERAL, "</td></tr>\n", 0, 0, 1},
};
static const struct node section_nodes[] = {
  {LITERAL, "<section><h2>", 0, 0, 1},
  {VALUE, 0, 0, 0, 1},
  {LITERAL, "</h2><table>\n", 0, 0, 1},
  {LIST, 0, row_nodes, 5, 12},
  {LITERAL, "</table></section>\n", 0, 0, 1},
};
static const struct node page_nodes[] = {
  {LITERAL, "<!doctype html><html><body>\n", 0, 0, 1},
  {LIST, 0, section_nodes, 5, 4},
  {LITERAL, "</body></html>\n", 0, 0, 1},
};
static const struct node page = {LIST, 0, page_nodes, 3, 1};

STEP void receive_request(struct request *request, uint64_t *random) {
  struct text raw = {request->raw, 0, sizeof request->raw - 1};
  append_string(&raw, "GET ");
  append_string(&raw, routes[next_random(random) % ROUTES].path);
  append_string(&raw, " HTTP/1.1\r\nHost: shop.example\r\nAuthorization: ");
  append_number(&raw, sessions[next_random(random) % SESSIONS].token, 16);
  for (int i = 0; i < HEADERS - 2; i++) {
    append_string(&raw, "\r\nX-Trace-");
    append_number(&raw, i, 10);
    append_string(&raw, ": ");
    append_number(&raw, next_random(random), 16);
  }
  append_string(&raw, "\r\n\r\n");
  raw.bytes[raw.length] = 0;
}

STEP char *parse_request_line(struct request *request) {
  char *cursor = request->raw;
  request->method = cursor;
  cursor = strchr(cursor, ' ');
  *cursor++ = 0;
  request->path = cursor;
  cursor = strchr(cursor, ' ');
  *cursor++ = 0;
  return strstr(cursor, "\r\n") + 2;
}

STEP void parse_headers(struct request *request, char *cursor) {
  LEAF_FRAME();
  request->header_count = 0;
  while (*cursor != '\r' && request->header_count < HEADERS) {
    struct header *header = &request->headers[request->header_count++];
    header->name = cursor;
    while (*cursor != ':') cursor++;
    *cursor++ = 0;
    while (*cursor == ' ') cursor++;
    header->value = cursor;
    while (*cursor != '\r') cursor++;
    *cursor = 0;
    cursor += 2;
  }
}

STEP void parse_request(struct request *request) { parse_headers(request, parse_request_line(request)); }

STEP const char *find_header(const struct request *request, const char *name) {
  for (int i = 0; i < request->header_count; i++)
    if (strcmp(request->headers[i].name, name) == 0) return request->headers[i].value;
  return "";
}

STEP uint64_t mix_rounds(uint64_t value, int rounds) {
  LEAF_FRAME();
  for (int i = 0; i < rounds; i++) {
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15ull;
    value ^= value << 13;
  }
  return value;
}

STEP int verify_token(const char *token) { return mix_rounds(strtoull(token, 0, 16), 900) != 0; }

STEP int authenticate(const struct request *request) { return verify_token(find_header(request, "Authorization")); }

#ifdef ROUTE_HASH
static const struct route *slots[SLOTS];

STEP uint32_t hash_path(const char *path) {
  LEAF_FRAME();
  uint32_t hash = 2166136261u;
  while (*path) hash = (hash ^ (unsigned char)*path++) * 16777619u;
  return hash;
}

static void add_route(const struct route *route) {
  uint32_t slot = hash_path(route->path) % SLOTS;
  while (slots[slot]) slot = (slot + 1) % SLOTS;
  slots[slot] = route;
}

STEP const struct route *route_lookup(const char *path) {
  for (uint32_t slot = hash_path(path) % SLOTS; slots[slot]; slot = (slot + 1) % SLOTS)
    if (strcmp(slots[slot]->path, path) == 0) return slots[slot];
  return 0;
}
#else
static void add_route(const struct route *route) { (void)route; }

/* Segment by segment, as patterns with wildcards need it. */
STEP int match_route(const struct route *route, const char *path) {
  LEAF_FRAME();
  const char *pattern = route->path;
  for (; *pattern && *path; pattern++, path++)
    if (*pattern != *path) return 0;
  return *pattern == *path;
}

STEP const struct route *route_lookup(const char *path) {
  for (int i = 0; i < ROUTES; i++)
    if (match_route(&routes[i], path)) return &routes[i];
  return 0;
}
#endif

STEP void append_escaped(struct text *out, const char *bytes) {
  for (; *bytes; bytes++) {
    if (*bytes == '<') append_text(out, "&lt;", 4);
    else if (*bytes == '&') append_text(out, "&amp;", 5);
    else if (out->length < out->capacity) out->bytes[out->length++] = *bytes;
  }
}

STEP void render_value(struct text *out, uint64_t *random) {
  append_escaped(out, "Fish & <chips> no. ");
  append_number(out, next_random(random) % 1000, 10);
}

STEP void render_node(struct text *out, const struct node *node, uint64_t *random) {
  if (node->kind == LITERAL) append_string(out, node->literal);
  if (node->kind == VALUE) render_value(out, random);
  if (node->kind == LIST)
    for (int i = 0; i < node->repeat; i++)
      for (int child = 0; child < node->child_count; child++) render_node(out, &node->children[child], random);
}

STEP void render_template(struct text *out, const struct node *root, uint64_t *random) {
  out->length = 0;
  render_node(out, root, random);
}

STEP size_t longest_match(const struct text *body, size_t at, size_t before) {
  LEAF_FRAME();
  size_t length = 0;
  while (length < 64 && at + length < body->length && body->bytes[before + length] == body->bytes[at + length]) length++;
  return length;
}

STEP size_t compress_body(const struct text *body) {
  size_t last[256] = {0}, size = 0;
  for (size_t at = 1; at < body->length;) {
    unsigned char key = body->bytes[at] ^ (body->bytes[at - 1] << 1);
    size_t length = last[key] ? longest_match(body, at, last[key]) : 0;
    last[key] = at;
    at += length > 4 ? length : 1;
    size++;
  }
  return size;
}

STEP uint32_t checksum(const struct text *body) {
  LEAF_FRAME();
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < body->length; i++) {
    a += (unsigned char)body->bytes[i];
    b += a;
    if (i % 4096 == 4095) a %= 65521, b %= 65521;
  }
  return b << 16 | a;
}

STEP void write_response(const struct text *body, size_t compressed) {
  static volatile uint32_t sent;
  sent += checksum(body) ^ (uint32_t)compressed;
}

STEP void handle_request(struct request *request, struct text *body, uint64_t *random) {
  receive_request(request, random);
  parse_request(request);
  const struct route *route = authenticate(request) ? route_lookup(request->path) : 0;
  if (!route) return;
  render_template(body, route->page, random);
  write_response(body, compress_body(body));
  __atomic_fetch_add(&served, 1, __ATOMIC_RELAXED);
}

/* Constant load: a worker that was late catches up. */
STEP void wait_for_tick(struct timespec *next) {
  next->tv_nsec += TICK_NS;
  if (next->tv_nsec >= 1000000000) next->tv_nsec -= 1000000000, next->tv_sec++;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, 0);
}

STEP void *serve_requests(void *seed) {
  struct request request;
  struct text body = {malloc(BODY_BYTES), 0, BODY_BYTES};
  uint64_t random = (uint64_t)(uintptr_t)seed;
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    for (int i = 0; i < TICK_REQUESTS; i++) handle_request(&request, &body, &random);
    wait_for_tick(&next);
  }
  return 0;
}

STEP int expire_sessions(long now) {
  LEAF_FRAME();
  int expired = 0;
  for (int i = 0; i < SESSIONS; i++) expired += sessions[i].expires < now;
  return expired;
}

STEP void *sweep_sessions(void *unused) {
  (void)unused;
  for (long now = 0;; now++) {
    for (int i = 0; i < 150; i++) expired = expire_sessions(now + i);
    usleep(20000);
  }
  return 0;
}

static void start_thread_named(const char *name, void *(*body)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, body, argument);
  pthread_setname_np(thread, name);
}

int main(void) {
  static const char *const sections[] = {"catalog", "orders", "customers", "invoices", "stock", "reports", "search", "admin"};
  uint64_t random = 42;
  for (int i = 0; i < ROUTES; i++) {
    snprintf(routes[i].path, sizeof routes[i].path, "/shop/v2/%s/%04d/details", sections[i % 8], i);
    routes[i].page = &page;
    add_route(&routes[i]);
  }
  for (int i = 0; i < SESSIONS; i++) sessions[i] = (struct session){next_random(&random) << 20 | next_random(&random), i};
  start_thread_named("worker-1", serve_requests, (void *)1);
  start_thread_named("worker-2", serve_requests, (void *)2);
  start_thread_named("session-sweep", sweep_sessions, 0);
  for (unsigned long before = 0;; before = served) {
    sleep(1);
    printf("%lu requests/s\n", served - before);
    fflush(stdout);
  }
}
