package io.tidemark.topic;

import java.util.Collection;
import org.apache.kafka.clients.admin.Admin;

/** Makes the topics of a cluster what they ought to be, at start. */
public final class TopicSetup {

  private final Admin admin;
  private final Layout layout;

  public TopicSetup(Admin admin, Layout layout) {
    this.admin = admin;
    this.layout = layout;
  }

  /**
   * Creates what is missing and brings retentions to what is configured. Blocks.
   *
   * @throws TopicsRefused if an existing one has another partition count or cleanup, or the cluster does not allow it
   */
  public void ensure(Collection<? extends Topic<?>> topics) {
    throw new UnsupportedOperationException(admin + " " + layout + topics);
  }
}
