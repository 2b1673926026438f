package io.elastune.provisioner;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** An event that a cloud reports about a lease or a run. Times are the cloud's. */
public sealed interface CloudEvent {
  /** Returns when the event happened. */
  Instant at();

  /** Calls the visitor method for this event type. */
  <R> R match(Visitor<R> visitor);

  /** One method per event type, so that a new type is a compile error at every use. */
  interface Visitor<R> {
    R running(Running event);

    R ready(Ready event);

    R refused(Refused event);

    R launchFailed(LaunchFailed event);

    R preparationFailed(PreparationFailed event);

    R priced(Priced event);

    R leaving(Leaving event);

    R lost(Lost event);

    R terminated(Terminated event);

    R listed(Listed event);

    R healthChanged(HealthChanged event);
  }

  /**
   * The instance runs and billing has begun.
   *
   * @param instanceId the cloud's id of the instance
   */
  record Running(String lease, String instanceId, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.running(this);
    }
  }

  /**
   * The instance is booted and set up: it can run trials.
   *
   * @param preparation its zone and the time of its setup
   */
  record Ready(String lease, Node node, Instant at, NodePreparation preparation)
      implements CloudEvent {
    public Ready {
      preparation = Objects.requireNonNullElse(preparation, NodePreparation.UNKNOWN); // earlier
    }

    /** Creates the event of an instance of whose preparation nothing is known. */
    public Ready(String lease, Node node, Instant at) {
      this(lease, node, at, NodePreparation.UNKNOWN);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.ready(this);
    }
  }

  /** The cloud refused the request; nothing was rented. */
  record Refused(String lease, RefusalReason refusal, String message, Instant at)
      implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.refused(this);
    }
  }

  /**
   * A launch failed for a reason that the provider does not know; it tries another zone, if there
   * is one.
   *
   * @param zone the zone of the launch; empty if the cloud chooses it
   * @param message the cloud's message, with its code
   */
  record LaunchFailed(String lease, Optional<String> zone, String message, Instant at)
      implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.launchFailed(this);
    }
  }

  /**
   * A step that prepares the instance for trials failed twice; the instance still exists and is
   * billed.
   *
   * @param step the step that failed
   * @param message the cause; its last lines are the end of the step's output
   */
  record PreparationFailed(String lease, PreparationStep step, String message, Instant at)
      implements CloudEvent {
    public PreparationFailed {
      step = Objects.requireNonNullElse(step, PreparationStep.UNKNOWN); // earlier versions
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.preparationFailed(this);
    }
  }

  /**
   * The price that the cloud charges for the instance, where it may differ from the offer's price.
   *
   * @param usdPerHour the price at the time of the launch, from the cloud's price list
   */
  record Priced(String lease, double usdPerHour, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.priced(this);
    }
  }

  /** The cloud will preempt the instance soon, usually within minutes. */
  record Leaving(String lease, String message, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.leaving(this);
    }
  }

  /** The instance was preempted, failed, or does not answer. */
  record Lost(String lease, LossReason loss, String message, Instant at) implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.lost(this);
    }
  }

  /**
   * The cloud confirmed that the instance is terminated. Billing ended at {@code at}. The event
   * repeats the start, because {@link Running} may be delivered later or never.
   *
   * @param running when billing began; empty if it never ran, or if the cloud does not know
   */
  record Terminated(String lease, Optional<Instant> running, Instant at) implements CloudEvent {
    public Terminated {
      running = Objects.requireNonNullElse(running, Optional.empty()); // earlier versions
    }

    /** Creates the event of an instance whose start of billing is not known. */
    public Terminated(String lease, Instant at) {
      this(lease, Optional.empty(), at);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.terminated(this);
    }
  }

  /**
   * An impairment of the cloud has begun or ended.
   *
   * @param infra the place whose calls are impaired, e.g. {@code aws/us-east-1}, or {@code
   *     controller}
   * @param present whether it exists now
   * @param message the cause, in the words of the cloud; empty at the end
   * @param since when it began; of a login that is about to expire, when it expires
   */
  record HealthChanged(
      String infra,
      CloudImpairment impairment,
      boolean present,
      String message,
      Instant since,
      Instant at)
      implements CloudEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.healthChanged(this);
    }
  }

  /** The result of {@link Cloud#list}. */
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
