import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Rents the smallest GPU instance of a real account, waits until it is ready, finds it by its tag
 * and terminates it. See scripts/smoke-test.
 *
 * <p>Exit codes: 0 for success, 1 if a step failed and everything is released, 2 if it refuses to
 * start, 20 if an instance may still be billed.
 */
public final class SmokeTest {
  /**
   * All time that the instance can be billed: it expires after this time, even if this process is
   * killed.
   */
  private static final Duration LONGEST = Duration.ofMinutes(14);

  private static final Duration READY_WITHIN = Duration.ofMinutes(9);
  private static final Duration SHUT_DOWN_WITHIN = Duration.ofMinutes(4);

  /** Lists may lack a new instance for this time. */
  private static final Duration LISTED_WITHIN = Duration.ofSeconds(45);

  private static final Duration DEAD_MAN = Duration.ofMinutes(2);
  private static final double MOST_USD = 0.20;
  private static final Map<String, String> SMALLEST =
      Map.of("aws", "g4dn.xlarge", "gcp", "g2-standard-4");

  /** Fails unless the dead-man timer is armed and the GPU works. */
  private static final String SETUP =
      "systemctl is-active elastune-dead-man.service && test -e /run/elastune/installed &&"
          + " nvidia-smi -L";

  private final Map<String, String> options;
  private final InstantSource time = InstantSource.system();
  private final BlockingQueue<CloudEvent> events = new LinkedBlockingQueue<>();
  private final String infra;
  private final String run;
  private final String lease;
  private volatile Instant requested = Instant.MAX;

  /** Whether an instance was ever listed, and whether the provider has proof that none is left. */
  private volatile boolean seen;

  private volatile boolean ended;

  private SmokeTest(Map<String, String> options) {
    this.options = options;
    infra = options.getOrDefault("--infra", "");
    run = "smoke-" + Long.toString(time.instant().getEpochSecond(), 36);
    lease = run + "-1";
  }

  /** Ends the test with an exit code and a message. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int exit;

    Stop(int exit, String message) {
      super(message);
      this.exit = exit;
    }
  }

  public static void main(String[] arguments) {
    int exit = 0;
    try {
      new SmokeTest(options(arguments)).run();
    } catch (Stop e) {
      System.err.println(e.getMessage());
      exit = e.exit;
    } catch (CloudException e) {
      System.err.println(e.failure().message());
      exit = 1;
    }
    System.exit(exit);
  }

  private static Map<String, String> options(String[] arguments) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--rent-and-pay", "--dead-man" -> options.put(arguments[i], "");
        case "--infra", "--type", "--budget", "--clouds" -> {
          if (i + 1 == arguments.length) {
            throw new Stop(2, arguments[i] + " needs a value");
          }
          options.put(arguments[i], arguments[++i]);
        }
        default -> throw new Stop(2, "unknown option " + arguments[i] + "; see scripts/smoke-test");
      }
    }
    return options;
  }

  private void run() {
    String name = infra.split("/", 2)[0];
    CloudProvider provider =
        CloudProviders.named(name)
            .filter(some -> SMALLEST.containsKey(name) && infra.contains("/"))
            .orElseThrow(() -> new Stop(2, "--infra must be aws/REGION or gcp/REGION"));
    Offer offer = builtInOffer(provider, options.getOrDefault("--type", SMALLEST.get(name)));
    requireBudget(mostUsd(offer));
    Path home =
        Path.of(
            Optional.ofNullable(System.getenv("ELASTUNE_HOME"))
                .orElse(System.getProperty("user.home") + "/.elastune"));
    Path clouds =
        options.containsKey("--clouds")
            ? Path.of(options.get("--clouds"))
            : home.resolve("clouds.yaml");
    CloudContext context = new CloudContext(home, clouds, time);
    try (CloudAccount account = provider.account(context).orElseThrow()) {
      check(account, offer);
      Thread release = new Thread(() -> release(account));
      Runtime.getRuntime().addShutdownHook(release); // also after Ctrl-C
      boolean passed = false;
      try {
        rent(provider, context, account, offer);
        passed = true;
      } finally {
        boolean left = release(account);
        removeHook(release);
        reportCost(offer, passed && !left);
        if (left) {
          throw new Stop(
              20,
              "an instance of run "
                  + run
                  + " may still be billed: see the console, and elastune orphans --delete --all");
        }
      }
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already
    }
  }

  private Offer builtInOffer(CloudProvider provider, String type) {
    return provider.builtInOffers(List.of(infra)).stream()
        .flatMap(catalog -> catalog.offers().stream())
        .filter(offer -> offer.instanceType().equals(type) && offer.market() == Market.ON_DEMAND)
        .findFirst()
        .orElseThrow(
            () ->
                new Stop(
                    2,
                    infra
                        + " has no on-demand price of "
                        + type
                        + ": choose another region or --type"));
  }

  /** The cost of all minutes until the expiry, and one to shut down, with disk and address. */
  private static double mostUsd(Offer offer) {
    return (offer.usdPerHour() + offer.diskUsdPerHour())
        * LONGEST.plusMinutes(1).toSeconds()
        / 3600;
  }

  private void requireBudget(double most) {
    System.out.printf(
        Locale.ROOT,
        "%s: one instance for at most %d minutes, at most $%.3f before tax, by the shipped price"
            + " table%n",
        infra,
        LONGEST.plusMinutes(1).toMinutes(),
        most);
    double budget;
    try {
      budget = Double.parseDouble(options.getOrDefault("--budget", "0"));
    } catch (NumberFormatException e) {
      throw new Stop(2, "--budget must be an amount in USD");
    }
    if (most > MOST_USD) {
      throw new Stop(
          2, String.format(Locale.ROOT, "refused: this may cost more than $%.2f", MOST_USD));
    }
    if (!(most <= budget)) {
      throw new Stop(
          2, String.format(Locale.ROOT, "refused: this needs --budget %.2f or more", most + 0.005));
    }
    if (!options.containsKey("--rent-and-pay")) {
      throw new Stop(2, "refused: nothing is rented without --rent-and-pay");
    }
  }

  private void check(CloudAccount account, Offer offer) {
    account
        .unavailableReason()
        .ifPresent(
            reason -> {
              throw new Stop(2, reason);
            });
    List<String> failed = new ArrayList<>();
    for (CheckResult result :
        account.check(new CapacityRequest(List.of(infra), List.of(offer), 1))) {
      System.out.printf("check %-8s %s: %s%n", result.outcome(), result.check(), result.detail());
      if (result.outcome() == CheckResult.Outcome.FAILED) {
        failed.add(result.check() + ": " + result.remedy());
      }
    }
    if (!failed.isEmpty()) {
      throw new Stop(2, "refused: " + String.join("; ", failed));
    }
  }

  private void rent(
      CloudProvider provider, CloudContext context, CloudAccount account, Offer offer) {
    try (Cloud cloud = provider.open(context, events::add)) {
      requested = time.instant();
      cloud.limitNodeExpiry(new NodeExpiryLimit(requested.plus(LONGEST), Map.of(lease, LONGEST)));
      cloud.request(request(offer));
      boolean keep = false;
      try {
        await(CloudEvent.Running.class, READY_WITHIN);
        await(CloudEvent.Ready.class, READY_WITHIN);
        TaggedInstance instance = findByTag(account);
        keep = options.containsKey("--dead-man");
        if (keep) {
          step(
              "the controller stops; the instance must shut down at "
                  + instance.expires().orElseThrow());
        }
      } finally {
        if (!keep && !ended) {
          cloud.release(lease);
          await(CloudEvent.Terminated.class, SHUT_DOWN_WITHIN);
        }
      }
    }
    if (options.containsKey("--dead-man") && awaitEnd(account, LONGEST.plus(SHUT_DOWN_WITHIN))) {
      throw new Stop(1, "failed: the instance has not shut itself down");
    }
    if (!instances(account).isEmpty()) {
      throw new Stop(1, "failed: the instance is still listed");
    }
    step("no instance has the tag of the run any more");
  }

  private LeaseRequest request(Offer offer) {
    String owner = System.getProperty("user.name").replaceAll("[^A-Za-z0-9-]", "-");
    Map<String, String> tags =
        Map.of(
            Tags.RUN,
            run,
            Tags.OWNER,
            owner,
            Tags.LEASE,
            lease,
            Tags.EXPIRES,
            Long.toString(requested.plus(LONGEST).getEpochSecond()));
    NodeSetup setup = new NodeSetup(SETUP, "/opt/elastune-smoke", Map.of(), "");
    return new LeaseRequest(
        run,
        lease,
        offer,
        Optional.of(setup),
        tags,
        DEAD_MAN,
        false,
        0,
        Optional.of(LONGEST),
        Optional.empty());
  }

  /** Waits for an event, and fails at any that excludes it. */
  private void await(Class<? extends CloudEvent> wanted, Duration within) {
    Instant until = time.instant().plus(within);
    while (time.instant().isBefore(until)) {
      CloudEvent event = next();
      if (event == null) {
        continue;
      }
      step(event.toString());
      ended |= event instanceof CloudEvent.Refused || event instanceof CloudEvent.Terminated;
      if (wanted.isInstance(event)) {
        return;
      }
      boolean fails =
          ended || event instanceof CloudEvent.PreparationFailed || event instanceof CloudEvent.Lost;
      boolean expensive =
          event instanceof CloudEvent.Priced priced && isTooExpensive(priced.usdPerHour());
      if (expensive || (fails && wanted != CloudEvent.Terminated.class)) {
        throw new Stop(1, "failed: " + event);
      }
    }
    throw new Stop(1, "failed: not " + wanted.getSimpleName() + " after " + within);
  }

  private boolean isTooExpensive(double usdPerHour) {
    return usdPerHour * LONGEST.plusMinutes(1).toSeconds() / 3600 > MOST_USD;
  }

  private CloudEvent next() {
    try {
      return events.poll(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new Stop(1, "interrupted");
    }
  }

  private TaggedInstance findByTag(CloudAccount account) {
    List<TaggedInstance> found = instances(account);
    if (found.size() != 1 || found.get(0).isExpired(time.instant())) {
      throw new Stop(
          1, "failed: one unexpired instance must have the tag of the run, but there are " + found);
    }
    seen = true;
    step("found by its tag: " + found.get(0));
    return found.get(0);
  }

  private List<TaggedInstance> instances(CloudAccount account) {
    return account.instances(List.of(infra)).stream()
        .filter(some -> some.run().equals(run))
        .toList();
  }

  /**
   * Waits until lists prove that no instance of the run is left; returns whether one may be left.
   */
  private boolean awaitEnd(CloudAccount account, Duration within) {
    Instant until = time.instant().plus(within);
    Instant empty = Instant.MAX;
    int times = 0;
    while (time.instant().isBefore(until)) {
      times = instances(account).isEmpty() ? times + 1 : 0;
      empty = times == 1 ? time.instant() : empty;
      boolean longEnough = seen || !time.instant().isBefore(empty.plus(LISTED_WITHIN));
      if (times > 0 && (ended || (times > 2 && longEnough))) {
        return false;
      }
      next();
    }
    return true;
  }

  /** Terminates all instances of the run, in any case; returns whether one may be left. */
  private synchronized boolean release(CloudAccount account) {
    try {
      if (requested.equals(Instant.MAX)) {
        return false;
      }
      List<TaggedInstance> left = instances(account);
      if (!left.isEmpty()) {
        seen = true;
        step("terminating " + left);
        account.terminate(left);
      }
      return awaitEnd(account, SHUT_DOWN_WITHIN);
    } catch (CloudException e) {
      System.err.println(e.failure().message());
      return true;
    }
  }

  private void reportCost(Offer offer, boolean passed) {
    double seconds =
        requested.equals(Instant.MAX) ? 0 : Duration.between(requested, time.instant()).toSeconds();
    System.out.printf(
        Locale.ROOT,
        "%s: %.0f s, at most $%.3f%n",
        passed ? "passed" : "failed",
        seconds,
        seconds * (offer.usdPerHour() + offer.diskUsdPerHour()) / 3600);
  }

  private void step(String text) {
    long seconds =
        requested.equals(Instant.MAX) ? 0 : Duration.between(requested, time.instant()).toSeconds();
    System.out.printf("%4d s  %s%n", seconds, text);
  }
}
