package io.tidemark.simulator.pool;

import io.tidemark.event.Launchpad;
import io.tidemark.event.LaunchpadDetails;
import io.tidemark.simulator.generator.AnswerFormats;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where launches stand on their bonding curves. */
public final class Launchpads {
  /** What is null of one that has not graduated. */
  static final Set<String> OPEN = Set.of(
      "launchpad.launchpad_details.completed_at",
      "launchpad.launchpad_details.migrated_destination_pool_address");

  private Launchpads() {}

  /** Null where there is no bonding curve. */
  static @Nullable Launchpad of(@Nullable TokenLaunch launch, long at) {
    if (launch == null || launch.curve() == null) {
      return null;
    }
    var trades = launch.pool().trades();
    double percent = AnswerFormats.rounded(100 * launch.curve().raised(trades.blockAt(at)), 2);
    var graduate = launch.graduate(at);
    return new Launchpad(graduate == null
        ? new LaunchpadDetails(percent, false, null, null)
        : new LaunchpadDetails(100.0, true, second(graduate.created()), graduate.address()));
  }

  static boolean open(Launchpad launchpad) {
    return !launchpad.getLaunchpadDetails().getCompleted();
  }

  /** The form of the document's timestamps. */
  public static String second(long at) {
    return Instant.ofEpochMilli(at).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
