package io.tidemark.cli.deadletters;

import picocli.CommandLine.Command;

@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    description = "Answers that were not understood: lists and shows them, and reads them again.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ListDeadLettersCommand.class, ShowDeadLetterCommand.class, ReplayDeadLettersCommand.class})
public final class DeadLettersCommand {}
