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
 * The answer of a market to one query.
 *
 * @param digest SHA-256 of the body, hexadecimal
 * @param sentAt when the request was sent, by the clock of Tidemark
 * @param receivedAt when the whole answer had arrived, by the same clock
 * @param asOf the service's own time of the answer (Date - Age, or of the body); null where it is not known
 * @param maxAge how long the answer is fresh by its Cache-Control; null where it has none
 * @param requestId the service's id of the answer ({@code x-request-id}); null where it has none
 * @param age how long the answer was in a cache by its header, in whole seconds; null where it has none
 */
public record Answer<A>(Query<A> query, Body<A> body, String digest, Instant sentAt, Instant receivedAt,
    @Nullable Instant asOf, @Nullable Duration maxAge, @Nullable String requestId, @Nullable Duration age) {
  /** An answer that does not tell how long it was in a cache. */
  public Answer(Query<A> query, Body<A> body, String digest, Instant sentAt, Instant receivedAt,
      @Nullable Instant asOf, @Nullable Duration maxAge, @Nullable String requestId) {
    this(query, body, digest, sentAt, receivedAt, asOf, maxAge, requestId, null);
  }

  /** The body of an answer, decoded on first use. */
  public interface Body<A> {
    /**
     * The decoded answer.
     *
     * @throws Failure.Unreadable with the raw bytes where the body is not as the document describes it
     */
    A read();

    /** The bytes as received, decompressed, without a key; empty where the body was not received over the network. */
    byte[] raw();

    /** A body that was not received over the network. */
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

  /** The envelope of on-chain answers; {@code included} is null where no related resources were asked for. */
  public record OnChainAnswer<A>(A data, @Nullable Included included) {}

  /** The related resources of an on-chain answer; {@code others} holds the type of each undocumented one. */
  public record Included(List<Observation<Pool>> pools, List<Observation<Token>> tokens, List<Dex> dexes,
      List<String> others) {
    public Included {
      pools = List.copyOf(pools);
      tokens = List.copyOf(tokens);
      dexes = List.copyOf(dexes);
      others = List.copyOf(others);
    }
  }

  /** A decentralised exchange; its id has no network prefix. */
  public record Dex(String id, @Nullable String name) {}

  /** A token and the ids of its top pools in order; null where the answer has no list of them. */
  public record TokenAnswer(Observation<Token> token, @Nullable List<String> topPools) {}

  /** A coin's name and one page of its tickers. Each ticker's description has the name too. */
  public record TickersAnswer(@Nullable String name, List<Observation<Ticker>> tickers) {}

  /** A derivatives exchange and its contracts; null where the answer has no list of them. */
  public record DerivativesAnswer(Observation<DerivativesExchange> exchange,
      @Nullable List<Observation<Contract>> tickers) {}

  /** An entity and its holdings; null where the answer has no list of them. */
  public record TreasuryAnswer(Observation<Treasury> treasury, @Nullable List<Observation<Holding>> holdings) {}
}
