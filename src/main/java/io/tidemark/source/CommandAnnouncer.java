package io.tidemark.source;

import io.tidemark.event.Watch;
import io.tidemark.ledger.CommandReader;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;

/** Announces to every partition what the commands of the topic {@code watch} come to. Of the ledger's thread. */
public final class CommandAnnouncer implements AutoCloseable {

  private final CommandReader commands;
  private final Announcements announcements;

  /** What the commands come to, such as the rules and silences in force. One session's. */
  public interface Announcements {

    /** Applies a command of the topic {@code watch}. Commands that a ledger wrote say what was announced before. */
    void apply(Watch command);

    /** Announces through the ledger all that is due. */
    void announceDue(Ledger ledger, Instant now);
  }

  private CommandAnnouncer(CommandReader commands, Announcements announcements) {
    this.commands = commands;
    this.announcements = announcements;
  }

  /** Applies all commands so far. Blocks until they are read. */
  static CommandAnnouncer open(LedgerSettings settings, SchemaRegistry registry, Announcements announcements) {
    return new CommandAnnouncer(CommandReader.open(settings, registry, announcements::apply), announcements);
  }

  /** Applies the commands that came since, and announces what is due. */
  void announce(Ledger ledger, Instant now) {
    commands.next().forEach(announcements::apply);
    announcements.announceDue(ledger, now);
  }

  @Override
  public void close() {
    commands.close();
  }
}
