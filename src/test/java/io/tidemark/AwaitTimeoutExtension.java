package io.tidemark;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The time that every test waits by default, which is longer than Awaitility's ten seconds because a loaded machine may
 * take longer. JUnit detects this extension by itself.
 */
public final class AwaitTimeoutExtension implements BeforeAllCallback {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(DEFAULT_TIMEOUT);
  }
}
