#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long now(void){ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000L + t.tv_nsec / 1000; }
__attribute__((noinline)) long fb_nap(void){ long since = now(); usleep(100000); return now() - since; }
/* Each line of input starts 20 naps; prints the microseconds that they took by its own clock, and some work keeps it known by name. */
int main(void){ int c; while((c = getchar()) != EOF){ long sum = 0; if(c != '\n') continue; for(int i = 0; i < 20; i++) sum += fb_nap(); printf("%ld\n", sum); fflush(stdout); } return 0; }
