package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudImpairment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Observes all calls to one part of a cloud, and reports when an impairment begins or ends. Used in
 * the event loop only.
 */
final class CloudHealthMonitor implements AsyncCaller.Observer {
  /** How long before its end a login is reported to expire. */
  private static final Duration LOGIN_NOTICE = Duration.ofHours(1);

  private static final Duration LOGIN_QUERY_INTERVAL = Duration.ofMinutes(1);

  /** The number of retries without success after which an impairment is reported. */
  private static final int RETRIES = 6;

  private final String infra;
  private final InstanceApi api;
  private final AsyncCaller unobserved;
  private final InstantSource time;
  private final PollingIntervals pace;
  private final Consumer<CloudEvent> emit;
  private final Map<CloudImpairment, Impaired> observed = new EnumMap<>(CloudImpairment.class);
  private final Map<CloudImpairment, Instant> reported = new EnumMap<>(CloudImpairment.class);
  private Optional<ExpiringLogin> login = Optional.empty();
  private Instant nextLoginQuery = Instant.EPOCH;

  /** Whether the cloud has accepted the login at least once. */
  private boolean wasLoggedIn;

  /**
   * An impairment that was observed.
   *
   * @param since when it began
   * @param last when it was last observed
   */
  private record Impaired(Instant since, Instant last, String message) {
    Impaired again(Impaired later) {
      return new Impaired(since, later.last, later.message);
    }
  }

  /**
   * Creates a monitor.
   *
   * @param infra the place in events, e.g. {@code aws/us-east-1}
   * @param unobserved queries the login, which is no call to the cloud
   */
  CloudHealthMonitor(
      String infra,
      InstanceApi api,
      AsyncCaller unobserved,
      InstantSource time,
      PollingIntervals pace,
      Consumer<CloudEvent> emit) {
    this.infra = infra;
    this.api = api;
    this.unobserved = unobserved;
    this.time = time;
    this.pace = pace;
    this.emit = emit;
  }

  @Override
  public void succeeded() {
    wasLoggedIn = true;
    observed.remove(CloudImpairment.LOGIN_EXPIRED);
    observed.remove(CloudImpairment.UNREACHABLE);
  }

  /** Every failure except those of the login and of the network is an answer of the cloud. */
  @Override
  public void failed(CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission permission && permission.isLogin()) {
      observe(CloudImpairment.LOGIN_EXPIRED, failure.message());
    } else if (failure instanceof CloudFailure.UnknownOutcome) {
      observe(CloudImpairment.UNREACHABLE, failure.message());
    } else {
      succeeded();
      if (failure instanceof CloudFailure.Throttled) {
        observe(CloudImpairment.THROTTLED, failure.message());
      }
    }
  }

  private void observe(CloudImpairment impairment, String message) {
    Instant now = time.instant();
    observed.merge(impairment, new Impaired(now, now, message), Impaired::again);
  }

  /**
   * Returns whether a launch that failed waits for a new login: the cloud has accepted the login
   * before, and nodes that miss their renewals since then still run.
   *
   * @param deadMan how long nodes run without their controller
   */
  boolean awaitsLogin(CloudFailure failure, Duration deadMan) {
    Impaired expired = observed.get(CloudImpairment.LOGIN_EXPIRED);
    return failure instanceof CloudFailure.Permission permission
        && permission.isLogin()
        && wasLoggedIn
        && expired != null
        && time.instant().isBefore(expired.since().plus(deadMan));
  }

  /** Reports the impairments that have begun or ended since the last call. */
  void poll(Collection<TrackedLease> leases) {
    queryLogin();
    updateLogin();
    updateThrottling();
    updateTerminations(leases);
    for (CloudImpairment impairment : CloudImpairment.values()) {
      report(impairment);
    }
  }

  private void queryLogin() {
    Instant now = time.instant();
    if (now.isBefore(nextLoginQuery)) {
      return;
    }
    nextLoginQuery = now.plus(LOGIN_QUERY_INTERVAL);
    unobserved.call(
        () -> api.expiringLogin(now),
        answer -> login = answer,
        failure -> login = Optional.empty()); // calls report a login that cannot be used
  }

  private void updateLogin() {
    Instant now = time.instant();
    Optional<ExpiringLogin> soon =
        login.filter(it -> now.isBefore(it.at()) && !now.plus(LOGIN_NOTICE).isBefore(it.at()));
    if (soon.isEmpty() || observed.containsKey(CloudImpairment.LOGIN_EXPIRED)) {
      observed.remove(CloudImpairment.LOGIN_EXPIRING);
    } else {
      observed.put(
          CloudImpairment.LOGIN_EXPIRING, new Impaired(soon.get().at(), now, soon.get().remedy()));
    }
  }

  private void updateThrottling() {
    Impaired throttled = observed.get(CloudImpairment.THROTTLED);
    if (throttled != null && time.instant().isAfter(throttled.last().plus(patience()))) {
      observed.remove(CloudImpairment.THROTTLED);
    }
  }

  private void updateTerminations(Collection<TrackedLease> leases) {
    Instant now = time.instant();
    List<TrackedLease> late =
        leases.stream()
            .filter(lease -> lease.isTerminationLate(patience().multipliedBy(2), now))
            .toList();
    Optional<Instant> first = late.stream().map(TrackedLease::releasedAt).min(Instant::compareTo);
    if (first.isEmpty()) {
      observed.remove(CloudImpairment.TERMINATION_UNCONFIRMED);
    } else {
      String ids = String.join(", ", late.stream().flatMap(l -> l.instanceId().stream()).toList());
      observed.put(CloudImpairment.TERMINATION_UNCONFIRMED, new Impaired(first.get(), now, ids));
    }
  }

  private void report(CloudImpairment impairment) {
    Impaired some = observed.get(impairment);
    boolean isLogin =
        impairment == CloudImpairment.LOGIN_EXPIRED || impairment == CloudImpairment.LOGIN_EXPIRING;
    Instant now = time.instant();
    if (some == null) {
      if (reported.remove(impairment) != null) {
        emit.accept(new CloudEvent.HealthChanged(infra, impairment, false, "", now, now));
      }
    } else if (!some.since().equals(reported.get(impairment))
        && (isLogin || !now.isBefore(some.since().plus(patience())))) {
      reported.put(impairment, some.since());
      emit.accept(
          new CloudEvent.HealthChanged(infra, impairment, true, some.message(), some.since(), now));
    }
  }

  /** Returns for how long a call must fail. */
  private Duration patience() {
    return pace.retryInterval().multipliedBy(RETRIES);
  }
}
