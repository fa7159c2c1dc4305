package io.tidemark.cli;

import picocli.CommandLine.Command;

@Command(
    name = "rules",
    mixinStandardHelpOptions = true,
    description = "Rules that make alerts: checks them, puts them into force while all runs, silences what they say.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CheckRulesCommand.class,
      ApplyRulesCommand.class,
      DropRulesCommand.class,
      ListRulesCommand.class,
      SilenceCommand.class,
      BacktestCommand.class,
      ExplainCommand.class,
      VocabularyCommand.class,
      RuleSchemaCommand.class,
      RulesReferenceCommand.class
    })
final class RulesCommand {}
