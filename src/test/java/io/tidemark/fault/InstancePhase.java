package io.tidemark.fault;

import io.tidemark.fault.KafkaRequests.Request;
import org.apache.kafka.common.protocol.ApiKeys;

/** A phase of an instance, recognized by its requests to Kafka. */
public enum InstancePhase {
  RESTORE {
    @Override
    boolean isIn(Request request, ReservedCalls reserved) {
      return request.api() == ApiKeys.FETCH && request.isOf("tidemark-restore");
    }
  },
  RESERVATION {
    @Override
    boolean isIn(Request request, ReservedCalls reserved) {
      return request.isProduced() && reserved.isMore();
    }
  },
  OPEN_TRANSACTION {
    @Override
    boolean isIn(Request request, ReservedCalls reserved) {
      return request.isProduced();
    }
  },
  COMMIT {
    @Override
    boolean isIn(Request request, ReservedCalls reserved) {
      return request.api() == ApiKeys.END_TXN && request.isOf("tidemark-ledger");
    }
  },
  REVOKE {
    @Override
    boolean isIn(Request request, ReservedCalls reserved) {
      return request.isOf("tidemark-owner")
          && (request.api() == ApiKeys.JOIN_GROUP || request.api() == ApiKeys.LEAVE_GROUP);
    }
  };

  abstract boolean isIn(Request request, ReservedCalls reserved);
}
