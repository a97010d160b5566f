/* A caller as the agent's child is one, in plain C: compiled against the header, linked with the library. */
#include "elastic_ffi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Proves `input` with `name` and prints "status output". */
static void prove(const char *name, const char *input) {
    uint8_t *output = NULL;
    size_t output_len = 0;
    uint32_t progress = 0, cancel = 0;
    int32_t status = elastic_prove(name, (const uint8_t *)input, strlen(input), &progress, &cancel, &output, &output_len);
    printf("%d %.*s\n", status, (int)output_len, (const char *)output);
    fflush(stdout);
    elastic_free(output, output_len);
}

int main(int argc, char **argv) {
    if (argc == 3) {
        elastic_enable_test_provers();
        prove(argv[1], argv[2]);
        return 0;
    }
    uint8_t *names = NULL;
    size_t names_len = 0;
    if (elastic_ffi_version() != 1 || elastic_prover_names(&names, &names_len) != ELASTIC_OK) {
        return EXIT_FAILURE;
    }
    printf("%.*s\n", (int)names_len, (const char *)names);
    elastic_free(names, names_len);
    prove("noop", "{}");
    elastic_enable_test_provers();
    prove("noop", "{}");
    elastic_free(NULL, 0);
    return EXIT_SUCCESS;
}
