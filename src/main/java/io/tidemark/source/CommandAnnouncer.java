package io.tidemark.source;

import io.tidemark.ledger.CommandReader;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;

/** Has the ledger announce which rules and silences are in force, as the command line asks. Of the ledger's thread. */
final class CommandAnnouncer implements AutoCloseable {

  private final CommandReader commands;
  private final RuleAnnouncements inForce;

  private CommandAnnouncer(CommandReader words, RuleAnnouncements inForce) {
    this.commands = words;
    this.inForce = inForce;
  }

  /**
   * Hears all that was asked for so far.
   *
   * @param base rules of the configuration
   */
  static CommandAnnouncer open(LedgerSettings settings, SchemaRegistry registry, RuleSet base) {
    var topics = settings.topics();
    var inForce = new RuleAnnouncements(base, topics.ruleSchemas(), topics.retention().changes());
    return new CommandAnnouncer(CommandReader.open(settings, registry, inForce::apply), inForce);
  }

  /** Announces what is to be announced now. */
  void announce(Ledger ledger, Instant now) {
    commands.next().forEach(inForce::apply);
    inForce.takeDue(now).forEach(each -> ledger.announce(each.kind(), each.version(), each.text()));
  }

  @Override
  public void close() {
    commands.close();
  }
}
