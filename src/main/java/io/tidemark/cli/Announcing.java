package io.tidemark.cli;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.Words;
import io.tidemark.rule.InForce;
import io.tidemark.rule.RuleSet;
import io.tidemark.topic.Registry;
import java.time.Instant;

/** Has the ledger announce which rules and silences are in force, as the command line asks. Of the ledger's thread. */
final class Announcing implements AutoCloseable {

  private final Words words;
  private final InForce inForce;

  private Announcing(Words words, InForce inForce) {
    this.words = words;
    this.inForce = inForce;
  }

  /**
   * Hears all that was asked for so far.
   *
   * @param base rules of the configuration
   */
  static Announcing begin(LedgerSettings settings, Registry registry, RuleSet base) {
    var topics = settings.topics();
    var inForce = new InForce(base, topics.onTheTape(), topics.retention().changes());
    return new Announcing(Words.open(settings, registry, inForce::hear), inForce);
  }

  /** Announces what is to be announced now. */
  void announce(Ledger ledger, Instant now) {
    words.next().forEach(inForce::hear);
    inForce.due(now).forEach(each -> ledger.announce(each.kind(), each.version(), each.text()));
  }

  @Override
  public void close() {
    words.close();
  }
}
