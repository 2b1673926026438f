package io.elastune.provisioner;

import java.time.Instant;
import java.util.List;

/** What a cloud tells. Times are the cloud's own. */
public sealed interface CloudEvent {
  /** When it happened. */
  Instant at();

  /** Calls the method for the kind that this is. */
  <R> R match(Visitor<R> visitor);

  /** One method per kind, so that a new kind is a compile error at every use. */
  interface Visitor<R> {
    R running(Running event);

    R ready(Ready event);

    R refused(Refused event);

    R setupFailed(SetupFailed event);

    R priced(Priced event);

    R leaving(Leaving event);

    R lost(Lost event);

    R terminated(Terminated event);

    R listed(Listed event);
  }

  /**
   * Billing has begun.
   *
   * @param instanceId the cloud's name for the instance
   */
  record Running(String lease, String instanceId, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.running(this);
    }
  }

  /** Booted and set up: it can take trials. */
  record Ready(String lease, Node node, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.ready(this);
    }
  }

  /** Nothing was rented. */
  record Refused(String lease, Refusal refusal, String message, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.refused(this);
    }
  }

  /**
   * The job's setup failed; the instance is still there and still billed.
   *
   * @param message what went wrong, with the end of its output
   */
  record SetupFailed(String lease, String message, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.setupFailed(this);
    }
  }

  /**
   * What the cloud says that the instance costs, where that may differ from its offer's price.
   *
   * @param usdPerHour by its own price list, at the moment of the launch
   */
  record Priced(String lease, double usdPerHour, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.priced(this);
    }
  }

  /** The cloud will take the instance back soon, within minutes as a rule. */
  record Leaving(String lease, String message, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.leaving(this);
    }
  }

  /** The instance went away, or does not answer. */
  record Lost(String lease, Loss loss, String message, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.lost(this);
    }
  }

  /** The cloud says that the instance is no more. Billing ended at {@code at}. */
  record Terminated(String lease, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.terminated(this);
    }
  }

  /** The answer to {@link Cloud#list}. */
  record Listed(String run, List<InstanceInfo> instances, Instant at) implements CloudEvent {
    public Listed {
      instances = List.copyOf(instances);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.listed(this);
    }
  }
}
