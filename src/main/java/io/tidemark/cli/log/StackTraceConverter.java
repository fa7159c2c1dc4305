package io.tidemark.cli.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import io.tidemark.event.SafeText;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints the stack trace below the log line: {@code %trace} of the pattern. Its lines are indented, so that none of
 * them can be mistaken for a log line.
 */
public final class StackTraceConverter extends ThrowableProxyConverter {

  private static final String INDENT = "    ";

  @Override
  protected @Nullable String throwableProxyToString(IThrowableProxy thrown) {
    return super.throwableProxyToString(thrown)
        .lines()
        .map(line -> INDENT + SafeText.escaped(line.replace("\t", "  "), SingleLineConverter.LONGEST)
            + System.lineSeparator())
        .collect(Collectors.joining());
  }
}
