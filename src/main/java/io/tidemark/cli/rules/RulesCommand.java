package io.tidemark.cli.rules;

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
      ExplainAlertCommand.class,
      VocabularyCommand.class,
      RuleSchemaCommand.class,
      RulesReferenceCommand.class
    })
public final class RulesCommand {}
