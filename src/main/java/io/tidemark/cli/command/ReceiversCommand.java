package io.tidemark.cli.command;

import picocli.CommandLine.Command;

@Command(
    name = "receivers",
    mixinStandardHelpOptions = true,
    description = "Who is told of alerts: how far each has come, and whether it can be reached.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ListReceiversCommand.class, TestReceiverCommand.class})
public final class ReceiversCommand {}
