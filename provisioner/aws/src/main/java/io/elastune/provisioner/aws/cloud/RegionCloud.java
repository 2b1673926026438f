package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.remote.EmptyGroups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One region of EC2. What there is, is asked of EC2 itself, over and over, by the run's tag: that
 * is how launches without an answer are settled, and how an instance too many is found. Used in the
 * loop only.
 */
final class RegionCloud {
  private static final Logger LOG = LoggerFactory.getLogger(RegionCloud.class);

  /** Nothing was launched if so many looks, and the time to settle, have shown nothing. */
  private static final int ENOUGH_LOOKS = 3;

  /** An order without an answer is repeated to the letter after so many looks. */
  private static final int LOOKS_BEFORE_REPEATING = 2;

  private final RegionContext context;

  /** Whether nodes of all regions have been told by when they are to end. */
  private final BooleanSupplier limited;

  private final Map<String, Rental> rentals = new LinkedHashMap<>();
  private final Set<String> runsLookedAt = new HashSet<>();
  private final Lists lists;
  private final Ender ender;
  private final Watcher watcher;
  private final SpotWatch spot;
  private final Renewer renewer;
  private final Launcher launcher;
  private final EmptyGroups groups;
  private boolean looking;
  private String lastProblem = "";
  private Instant nextLook = Instant.EPOCH;

  RegionCloud(RegionContext context, BooleanSupplier limited) {
    this.context = context;
    this.limited = limited;
    lists = new Lists(rentals);
    ender = new Ender(context);
    spot = new SpotWatch(context);
    watcher = new Watcher(context, ender);
    renewer = new Renewer(context);
    launcher = new Launcher(context, renewer, this::launched, this::isAnyEnding);
    groups = new EmptyGroups(context.asker(), run -> context.ec2().removeGroups(Tags.RUN, run));
  }

  /** Rents, if that lease was never heard of; else goes on with it. */
  void request(LeaseRequest request) {
    begin(request, Rental.Phase.QUEUED);
  }

  /** Takes up what an earlier controller has rented; rents nothing. */
  void adopt(LeaseRequest request) {
    begin(request, Rental.Phase.SEEKING);
  }

  private void begin(LeaseRequest request, Rental.Phase phase) {
    Rental known = rentals.get(request.lease());
    if (known != null) {
      if (!known.open()) {
        context.gone(known, known.goneAt);
      }
      return;
    }
    Rental rental = new Rental(request.lease(), Optional.of(request), phase);
    rental.soughtSince = context.now();
    rentals.put(request.lease(), rental);
    step();
  }

  /** Whether that lease is, or was, rented here. */
  boolean knows(String lease) {
    return rentals.containsKey(lease);
  }

  void release(String lease) {
    Rental rental =
        rentals.computeIfAbsent(
            lease, some -> new Rental(some, Optional.empty(), Rental.Phase.SEEKING));
    if (!rental.open()) {
      context.gone(rental, rental.goneAt);
      return;
    }
    if (rental.wanted) {
      rental.wanted = false;
      rental.soughtSince = context.now();
      rental.looks = 0;
    }
    rental.instance().ifPresent(instance -> watcher.see(rental, instance));
    nextLook = Instant.EPOCH;
    step();
  }

  /** Nodes end by then, unless they are told of another limit. */
  void limitLives(LifeLimit limit) {
    renewer.limitLives(limit, rentals.values());
  }

  /** Asks what there is of a run; {@code answer} is called once EC2's word can be taken for it. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    lists.add(run, there -> groups.leave(run, there, requests(), answer));
    nextLook = Instant.EPOCH;
    step();
  }

  private Stream<LeaseRequest> requests() {
    return rentals.values().stream().flatMap(rental -> rental.request().stream());
  }

  /** Whether all that may live on here have been told of the limit. */
  boolean haveAllHeard() {
    return renewer.haveAllHeard(rentals.values());
  }

  private boolean isAnyEnding() {
    return rentals.values().stream().anyMatch(Rental::isEnding);
  }

  /** Does whatever is due. */
  void step() {
    boolean mayLaunch = limited.getAsBoolean();
    launcher.launch(
        rentals.values().stream()
            .filter(rental -> mayLaunch && rental.in(Rental.Phase.QUEUED) && rental.wanted)
            .filter(rental -> rental.run().filter(runsLookedAt::contains).isPresent())
            .filter(rental -> !context.now().isBefore(rental.notBefore))
            .toList());
    ender.flush();
    renewer.renew(rentals.values());
    watcher.askConsoles(rentals.values());
    spot.look(rentals.values());
    look();
  }

  private void look() {
    Set<String> runs = new HashSet<>(lists.runs());
    Set<String> strangers = new HashSet<>();
    rentals.values().stream()
        .filter(Rental::open)
        .forEach(
            rental -> rental.run().ifPresentOrElse(runs::add, () -> strangers.add(rental.lease())));
    boolean fresh = !runsLookedAt.containsAll(runs);
    boolean due = fresh || !context.now().isBefore(nextLook);
    if (looking || !due || (runs.isEmpty() && strangers.isEmpty())) {
      return;
    }
    looking = true;
    Instant asked = context.now();
    context
        .asker()
        .ask(
            () -> ask(runs, strangers),
            found -> looked(runs, strangers, found, asked),
            this::notLooked);
  }

  private List<Ec2Instance> ask(Set<String> runs, Set<String> strangers) {
    List<Ec2Instance> found = new ArrayList<>();
    if (!runs.isEmpty()) {
      found.addAll(context.ec2().withTag(Tags.RUN, runs));
    }
    if (!strangers.isEmpty()) {
      found.addAll(context.ec2().withTag(Tags.LEASE, strangers));
    }
    return found;
  }

  private void notLooked(CloudFailure failure) {
    if (failure.message().equals(lastProblem)) {
      LOG.debug("EC2 in {} still does not tell: {}", context.region(), failure.message());
    } else {
      LOG.warn("EC2 in {} does not tell what there is: {}", context.region(), failure.message());
    }
    lastProblem = failure.message();
    if (failure instanceof CloudFailure.Permission) {
      refuseAll(failure.message());
    }
    looking = false;
    nextLook = context.now().plus(context.pace().again());
  }

  /** What may not even be looked for is not launched. */
  private void refuseAll(String message) {
    List.copyOf(rentals.values()).stream()
        .filter(rental -> rental.in(Rental.Phase.QUEUED) && rental.order == null)
        .forEach(rental -> launcher.refuse(rental, Refusal.PERMISSION, message));
  }

  private void looked(
      Set<String> runs, Set<String> strangers, List<Ec2Instance> found, Instant asked) {
    looking = false;
    lastProblem = "";
    Map<String, List<Ec2Instance>> byLease = new HashMap<>();
    for (Ec2Instance instance : found) {
      instance
          .lease()
          .ifPresent(lease -> byLease.computeIfAbsent(lease, l -> new ArrayList<>()).add(instance));
    }
    for (Rental rental : List.copyOf(rentals.values())) {
      boolean asksForIt =
          rental.run().map(runs::contains).orElseGet(() -> strangers.contains(rental.lease()));
      if (asksForIt) {
        seen(rental, byLease.getOrDefault(rental.lease(), List.of()), asked);
      }
    }
    runsLookedAt.addAll(runs);
    lists.answer(runs, found);
    nextLook = context.now().plus(calm() ? context.pace().calmLook() : context.pace().look());
    step();
  }

  /** Takes in what EC2 shows of a lease. */
  private void seen(Rental rental, List<Ec2Instance> instances, Instant asked) {
    for (Ec2Instance instance : instances) {
      boolean other =
          rental.instance().filter(known -> !known.id().equals(instance.id())).isPresent();
      if (other || (!rental.open() && rental.instance().isEmpty())) {
        tooMany(rental, instance);
      } else if (rental.open()) {
        rental.shown = asked;
        watcher.see(rental, instance);
      }
    }
    if (rental.open()) {
      rental
          .instance()
          .ifPresentOrElse(
              known -> watcher.missing(rental, known, asked), () -> inVain(rental, asked));
    }
  }

  /** A lease has one instance: whatever else carries its tag is not to be paid for. */
  private void tooMany(Rental rental, Ec2Instance instance) {
    if (instance.state().isUp()) {
      LOG.warn("{} is one instance too many of {}: it is ended", instance.id(), rental.lease());
      ender.end(instance.id());
    } else {
      ender.ended(instance.id());
    }
  }

  private void inVain(Rental rental, Instant asked) {
    if (asked.isBefore(rental.soughtSince)) {
      return;
    }
    rental.looks++;
    boolean settled =
        rental.looks >= ENOUGH_LOOKS
            && Duration.between(rental.soughtSince, asked).compareTo(context.pace().settle()) >= 0;
    boolean unknown = rental.in(Rental.Phase.UNKNOWN);
    if (rental.in(Rental.Phase.QUEUED) && !rental.wanted) {
      neverLaunched(rental);
    } else if (unknown && rental.wanted && rental.looks >= LOOKS_BEFORE_REPEATING) {
      rental.phase = Rental.Phase.QUEUED; // with its order: the same token launches once
    } else if (settled && (rental.in(Rental.Phase.SEEKING) || (unknown && !rental.wanted))) {
      context.gone(rental, context.now());
    }
  }

  /** Released before its turn came; or before the turn of a repetition, which proves nothing. */
  private void neverLaunched(Rental rental) {
    if (rental.order == null) {
      context.gone(rental, context.now());
    } else {
      rental.seek(Rental.Phase.SEEKING, context.now());
    }
  }

  private void launched(Rental rental, Ec2Instance instance) {
    boolean known = rental.instance().filter(some -> some.id().equals(instance.id())).isPresent();
    if (rental.open()) {
      watcher.see(rental, instance);
    } else if (!known) {
      tooMany(rental, instance);
    }
    step();
  }

  /** Whether nothing is under way. */
  private boolean calm() {
    return lists.runs().isEmpty()
        && rentals.values().stream()
            .filter(Rental::open)
            .allMatch(rental -> rental.booted && rental.wanted && rental.isRunning());
  }
}
