package io.tidemark.source;

import java.util.concurrent.CompletableFuture;

/** Who works a source while it is ours. Told by the thread that polls the group: nothing here may block. */
public interface OwnershipListener {

  /** The source is ours until we are told otherwise; it may be asked while the lease is held. */
  void onAssigned(Lease lease);

  /**
   * Another instance is to have it: nothing more is asked, what is under way is finished or aborted.
   *
   * @return done when nothing more will be written; it is waited for only so long
   */
  CompletableFuture<Void> onRevoked();

  /** Another instance may have it already: everything stops at once. */
  void onLost();
}
