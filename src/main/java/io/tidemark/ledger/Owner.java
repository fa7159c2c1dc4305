package io.tidemark.ledger;

import java.util.concurrent.CompletableFuture;

/** Who works a source while it is ours. Told by the thread that polls the group: nothing here may block. */
public interface Owner {

  /** The source is ours until we are told otherwise; it may be asked while the lease is held. */
  void take(Lease lease);

  /**
   * Another instance is to have it: nothing more is asked, what is under way is finished or aborted.
   *
   * @return done when nothing more will be written; it is waited for only so long
   */
  CompletableFuture<Void> giveBack();

  /** Another instance may have it already: everything stops at once. */
  void lose();
}
