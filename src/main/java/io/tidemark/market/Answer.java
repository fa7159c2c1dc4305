package io.tidemark.market;

import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.Holding;
import io.tidemark.event.Pool;
import io.tidemark.event.Ticker;
import io.tidemark.event.Token;
import io.tidemark.event.Treasury;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A market's answer to one query.
 *
 * @param digest SHA-256 of the decompressed body (in a mirror's answer: of the query and the states that the body is
 *     built from), in hexadecimal digits. Equal digests are the only evidence that nothing changed. A fast hash does
 *     not suffice, because strangers choose names in the body, and could choose them so that different bodies have
 *     equal digests
 * @param sentAt when the request was sent, by Tidemark's clock
 * @param receivedAt when the whole answer had arrived, by Tidemark's clock
 * @param asOf when the answer was current, by the service's clock: the header Date minus the header Age (in a
 *     mirror's answer: the oldest such time of the states); null if unknown
 * @param maxAge how long the answer is fresh, from the header Cache-Control; null if the header does not specify it
 * @param requestId the service's id of the answer, from {@code x-request-id}; null if missing
 * @param age how long the answer was in a cache, from the header Age, in whole seconds; null if missing
 */
public record Answer<A>(Query<A> query, Body<A> body, String digest, Instant sentAt, Instant receivedAt,
    @Nullable Instant asOf, @Nullable Duration maxAge, @Nullable String requestId, @Nullable Duration age) {
  /** The body of an answer, decoded on first use. */
  public interface Body<A> {
    /**
     * Returns the decoded answer.
     *
     * @throws Failure.Unreadable if the body does not match the interface document; the failure contains the raw bytes
     */
    A read();

    /**
     * Returns the received bytes, decompressed and with the key masked, or an empty array if the body did not come
     * from the network.
     */
    byte[] raw();

    /** Creates a body that did not come from the network. */
    static <A> Body<A> of(A value) {
      return new Body<>() {
        @Override
        public A read() {
          return value;
        }

        @Override
        public byte[] raw() {
          return new byte[0];
        }
      };
    }
  }

  /**
   * The envelope of on-chain answers. {@code included} is null if the answer has no such member, usually because no
   * related resources were requested.
   */
  public record OnChainAnswer<A>(A data, @Nullable Included included) {}

  /** The related resources of an on-chain answer. Resources whose type is undocumented are left out. */
  public record Included(List<Observation<Pool>> pools, List<Observation<Token>> tokens, List<Dex> dexes) {}

  /** A decentralised exchange. Its id has no network prefix. */
  public record Dex(String id, @Nullable String name) {}

  /**
   * A token and the ids of its top pools, in the order of the answer. {@code topPools} is null if the answer does not
   * list top pools.
   */
  public record TokenAnswer(Observation<Token> token, @Nullable List<String> topPools) {}

  /**
   * A coin's name and one page of its tickers. The description of each ticker also contains the coin's name, if it is
   * known.
   */
  public record TickersAnswer(@Nullable String name, List<Observation<Ticker>> tickers) {}

  /** A derivatives exchange and its contracts. {@code tickers} is null if the answer does not list contracts. */
  public record DerivativesAnswer(Observation<DerivativesExchange> exchange,
      @Nullable List<Observation<Contract>> tickers) {}

  /** An entity and its holdings. {@code holdings} is null if the answer does not list holdings. */
  public record TreasuryAnswer(Observation<Treasury> treasury, @Nullable List<Observation<Holding>> holdings) {}
}
