// For children.ts: the CPU that ended children have used, in milliseconds, with its fractions. What is used
// of Node's C interface is declared here: its headers need not be installed.
#include <stddef.h>
#include <sys/resource.h>

typedef void *env, *value, *info;
extern int napi_create_double(env, double, value *);
extern int napi_create_function(env, const char *, size_t, value (*)(env, info), void *, value *);

static double milliseconds(struct timeval t) { return t.tv_sec * 1e3 + t.tv_usec / 1e3; }

static value used(env e, info call) {
  struct rusage all;
  value result;
  getrusage(RUSAGE_CHILDREN, &all);
  napi_create_double(e, milliseconds(all.ru_utime) + milliseconds(all.ru_stime), &result);
  return result;
}

value napi_register_module_v1(env e, value exports) {
  value result;
  napi_create_function(e, "used", 4, used, NULL, &result);
  return result;
}
