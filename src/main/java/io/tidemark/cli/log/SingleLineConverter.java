package io.tidemark.cli.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.tidemark.event.SafeText;
import java.util.Objects;

/** Prints the message on one line, with control characters escaped: {@code %line} of the pattern. */
public final class SingleLineConverter extends ClassicConverter {

  /** The longest message, in characters. */
  static final int LONGEST = 4_000;

  @Override
  public String convert(ILoggingEvent event) {
    return of(event);
  }

  static String of(ILoggingEvent event) {
    return SafeText.escaped(Objects.requireNonNullElse(event.getFormattedMessage(), ""), LONGEST);
  }
}
