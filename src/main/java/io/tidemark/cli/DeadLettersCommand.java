package io.tidemark.cli;

import picocli.CommandLine.Command;

@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    description = "Answers that were not understood: lists and shows them, and reads them again.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ListLettersCommand.class, ShowLetterCommand.class, ReplayLettersCommand.class})
final class DeadLettersCommand {}
