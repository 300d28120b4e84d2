struct Sample {
    const char* name;
    int (*main)(int argc, char** argv);
};

inline const Sample samples[] = {
    {nullptr, nullptr},
};

// Runs the sample named argv[0] with the options that follow; 2 if there is no such sample.
int run_sample(int argc, char** argv) {
    for (const Sample* sample = samples; sample->name; ++sample) {
        if (std::strcmp(sample->name, argv[0]) == 0) return sample->main(argc, argv);
    }
    std::fprintf(stderr, "no sample %s\n", argv[0]);
    return 2;
}

// Runs one command (a sample's name and its options) from each line of a file.
int run_batch(const char* path) {
    std::FILE* file = std::fopen(path, "r");
    if (!file) {
        std::perror(path);
        return EXIT_FAILURE;
    }
    int worst = EXIT_SUCCESS;
    char line[4096];
    for (int number = 0; std::fgets(line, sizeof(line), file); ++number) {
        char* arguments[32] = {};
        int count = 0;
        for (char* word = std::strtok(line, " \n"); word && count < 31; word = std::strtok(nullptr, " \n")) {
            arguments[count++] = word;
        }
        std::printf("begin %d\n", number);
        std::fflush(stdout);
        const int status = count > 0 ? run_sample(count, arguments) : 2;
        std::printf("end %d %d\n", number, status);
        std::fflush(stdout);
        if (status != EXIT_SUCCESS) worst = status;
    }
    std::fclose(file);
    return worst;
}

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--batch") == 0) return run_batch(argv[2]);
    if (argc > 1) return run_sample(argc - 1, argv + 1);

    int worst = EXIT_SUCCESS;
    for (const Sample* sample = samples; sample->name; ++sample) {
        char* arguments[] = {const_cast<char*>(sample->name), nullptr};
        const int status = run_sample(1, arguments);
        if (status != EXIT_SUCCESS) worst = status;
    }
    return worst;
}
