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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Rents the smallest GPU instance of a real account three times: on spot, where it is interrupted,
 * on demand, and on demand with a setup that trains and reports what the node has. Each is awaited,
 * found by its tag and terminated. It prints the answers to the questions that only a real account
 * can answer. See scripts/smoke-test.
 *
 * <p>Exit codes: 0 for success, 1 if a step failed and everything is released, 2 if it refuses to
 * start, 20 if an instance may still be billed.
 */
public final class SmokeTest {
  /**
   * All time that an instance can be billed: it expires after this time, even if this process is
   * killed.
   */
  private static final Duration LONGEST = Duration.ofMinutes(14);

  private static final Duration READY_WITHIN = Duration.ofMinutes(9);
  private static final Duration SHUT_DOWN_WITHIN = Duration.ofMinutes(4);

  /** AWS gives two minutes of notice, and Google half a minute. */
  private static final Duration INTERRUPTED_WITHIN = Duration.ofMinutes(5);

  /** Lists may lack a new instance for this time. */
  private static final Duration LISTED_WITHIN = Duration.ofSeconds(45);

  private static final Duration DEAD_MAN = Duration.ofMinutes(2);
  private static final double MOST_USD = 3;

  /** FIS bills $0.10 per minute of an action: https://aws.amazon.com/fis/pricing/. */
  private static final double INTERRUPTION_USD = 0.5;

  private static final String EXPERIMENT =
      "{\"description\":\"elastune smoke test\",\"roleArn\":\"@ROLE@\",\"stopConditions\":"
          + "[{\"source\":\"none\"}],\"targets\":{\"spot\":{\"resourceType\":"
          + "\"aws:ec2:spot-instance\",\"resourceTags\":{\"elastune-run\":\"@RUN@\"},"
          + "\"selectionMode\":\"ALL\"}},\"actions\":{\"interrupt\":{\"actionId\":"
          + "\"aws:ec2:send-spot-instance-interruptions\",\"parameters\":"
          + "{\"durationBeforeInterruption\":\"PT2M\"},\"targets\":{\"SpotInstances\":"
          + "\"spot\"}}}}";

  private static final Map<String, String> SMALLEST =
      Map.of("aws", "g4dn.xlarge", "gcp", "g2-standard-4");

  /** Fails unless the dead-man timer is armed and the GPU works. */
  private static final String SETUP =
      "systemctl is-active elastune-dead-man.service && test -e /run/elastune/installed &&"
          + " nvidia-smi -L";

  /** The questions in the order of the report. */
  private static final List<String> QUESTIONS =
      List.of(
          "Is a spot instance launched with all settings, such as disableApiTermination?",
          "Is the report of the node intact on the console, or in the guest attribute?",
          "Is the dead-man timer armed before the agent of the cloud?",
          "Which Python has the image?",
          "How long until the first launch, directly after terraform apply (role visible)?",
          "Does the metadata contain the expiry?",
          "Which end does the cloud report?",
          "What is the bill?",
          "Which GPU does the driver report?",
          "Does a program train on the GPU?",
          "Is a forced interruption of a spot instance announced and reported?");

  private static final String FACT = "FACT ";

  /** Trains a linear model with torch, or writes to the GPU's memory where the image lacks torch. */
  private static final String TRAINING =
      """
      import ctypes as c
      try:
        import torch
      except ImportError:
        torch = None
      if torch:
        x = torch.randn(65536, 64, device="cuda")
        w = torch.zeros(64, 1, device="cuda", requires_grad=True)
        losses = []
        for step in range(100):
          loss = ((x @ w - x.sum(1, keepdim=True)) ** 2).mean()
          losses.append(loss.item())
          loss.backward()
          with torch.no_grad():
            w -= 0.1 * w.grad
          w.grad = None
        trained = "yes" if losses[-1] < losses[0] / 100 else "no"
        print("%s: torch %s on %s, 100 steps, loss %.3g to %.3g"
          % (trained, torch.__version__, torch.cuda.get_device_name(), losses[0], losses[-1]))
        exit()
      cuda = c.CDLL("libcuda.so.1")
      def call(name, *arguments):
        code = getattr(cuda, name)(*arguments)
        if code:
          exit("no: %s returned the CUDA error %d" % (name, code))
      count, context, memory = c.c_int(), c.c_void_p(), c.c_uint64()
      call("cuInit", 0)
      call("cuDeviceGetCount", c.byref(count))
      assert count.value, "no: CUDA has no GPU"
      for gpu in range(count.value):
        call("cuDevicePrimaryCtxRetain", c.byref(context), gpu)
        call("cuCtxSetCurrent", context)
        call("cuMemAlloc_v2", c.byref(memory), c.c_size_t(4096))
        call("cuMemsetD32_v2", memory, c.c_uint(7), c.c_size_t(1024))
        found = (c.c_uint32 * 1024)()
        call("cuMemcpyDtoH_v2", found, memory, c.c_size_t(4096))
        assert list(found) == [7] * 1024, "no: the memory of GPU %d is wrong" % gpu
      print("yes: CUDA writes and reads the memory of %d GPU; torch is not in the image" % count.value)
      """;

  /** Writes facts about the node to the output of the setup, which is reported because it fails. */
  private static final String FACTS =
      """
      echo "FACT python $(python3 --version 2>&1)"
      for unit in elastune-dead-man amazon-ssm-agent snap.amazon-ssm-agent.amazon-ssm-agent google-guest-agent; do
        echo "FACT started $unit $(systemctl show --property ActiveEnterTimestampMonotonic --value "$unit")"
      done
      token=$(curl -s -m 5 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' http://169.254.169.254/latest/api/token)
      echo "FACT expires $(curl -sf -m 5 -H "X-aws-ec2-metadata-token: $token" http://169.254.169.254/latest/meta-data/tags/instance/elastune-expires ||
        curl -sf -m 5 -H 'Metadata-Flavor: Google' http://metadata.google.internal/computeMetadata/v1/instance/attributes/elastune-expires)"
      echo "FACT gpu $(nvidia-smi -L 2>&1 | head -n 1)"
      cat >train.py <<'EOF'
      """
          + TRAINING
          + """
      EOF
      python=python3
      for some in python3 /opt/pytorch/bin/python3 /opt/conda/bin/python3; do
        if "$some" -c 'import importlib.util as u; exit(not u.find_spec("torch"))' 2>/dev/null; then python=$some && break; fi
      done
      echo "FACT training $(timeout 240 "$python" train.py 2>&1 | tail -n 1 | cut -c 1-300)"
      exit 7
      """;

  private final Map<String, String> options;
  private final Map<String, List<String>> answers = new LinkedHashMap<>();
  private double mostBilled;
  private final InstantSource time = InstantSource.system();
  private final BlockingQueue<CloudEvent> events = new LinkedBlockingQueue<>();
  private final String infra;
  private final String run;
  private volatile String lease;
  private volatile Instant requested = Instant.MAX;

  /** Whether an instance was ever listed, and whether the provider has proof that none is left. */
  private volatile boolean seen;

  private volatile boolean ended;

  /** When the cloud announced an interruption, and how it reported the loss. */
  private Optional<Instant> announced = Optional.empty();

  private Optional<String> loss = Optional.empty();

  private SmokeTest(Map<String, String> options) {
    this.options = options;
    infra = options.getOrDefault("--infra", "");
    run = "smoke-" + Long.toString(time.instant().getEpochSecond(), 36);
    lease = run + "-0";
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
        case "--infra", "--type", "--budget", "--clouds", "--fis-role" -> {
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
    String type = options.getOrDefault("--type", SMALLEST.get(name));
    Offer onDemand = builtInOffer(provider, type, Market.ON_DEMAND);
    boolean deadMan = options.containsKey("--dead-man");
    List<TestLease> leases =
        deadMan
            ? List.of(new TestLease(onDemand, false))
            : List.of(
                new TestLease(builtInOffer(provider, type, Market.SPOT), false),
                new TestLease(onDemand, false),
                new TestLease(onDemand, true));
    // Spot prices change, but stay below those on demand.
    requireBudget(leases.size(), mostUsd(onDemand));
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
      check(account, onDemand);
      Thread release = new Thread(() -> release(account));
      Runtime.getRuntime().addShutdownHook(release); // also after Ctrl-C
      List<String> failures = new ArrayList<>();
      for (int i = 0; i < leases.size(); i++) {
        lease = run + "-" + (i + 1);
        requested = Instant.MAX;
        seen = false;
        ended = false;
        announced = Optional.empty();
        loss = Optional.empty();
        events.clear();
        execute(new TestedCloud(provider, context, account), leases.get(i), failures);
      }
      removeHook(release);
      report(type, failures);
      if (!failures.isEmpty()) {
        throw new Stop(1, String.join("\n", failures));
      }
    }
  }

  /**
   * One instance to rent.
   *
   * @param facts whether its setup reports facts and fails
   */
  private record TestLease(Offer offer, boolean facts) {
    String market() {
      return offer.market() == Market.SPOT ? "spot" : "on demand";
    }
  }

  private record TestedCloud(CloudProvider provider, CloudContext context, CloudAccount account) {}

  /** Rents an instance, and ends the test only if one may be left. */
  private void execute(TestedCloud cloudOf, TestLease tested, List<String> failures) {
    System.out.printf("%s%s%n", tested.market(), tested.facts() ? ", facts of the node" : "");
    try {
      rent(cloudOf, tested);
    } catch (Stop e) {
      failures.add(tested.market() + ": " + e.getMessage());
      if (tested.offer().market() == Market.SPOT && !seen) {
        answer(0, "no: " + e.getMessage());
        answer(10, "unknown: no spot instance ran");
      }
    } finally {
      boolean left = release(cloudOf.account());
      reportCost(tested.offer());
      if (left) {
        throw new Stop(
            20,
            "an instance of run "
                + run
                + " may still be billed: see the console, and elastune orphans --delete --all");
      }
    }
  }

  private void answer(int question, String text) {
    answers.computeIfAbsent(QUESTIONS.get(question), any -> new ArrayList<>()).add(text);
  }

  /** Prints the answers as a table in Markdown. */
  private void report(String type, List<String> failures) {
    answer(
        7,
        String.format(
            Locale.ROOT,
            "at most $%.3f by the price table; compare it after a day with %s",
            mostBilled,
            bill()));
    System.out.printf(
        "%n### Smoke test of %s, %s, %s: %s%n%n| question | answer |%n|---|---|%n",
        infra, type, time.instant(), failures.isEmpty() ? "passed" : "failed");
    for (int i = 0; i < QUESTIONS.size(); i++) {
      List<String> found = answers.getOrDefault(QUESTIONS.get(i), List.of("not answered"));
      String text = String.join("; ", found).replace("|", "\\|").replaceAll("\\s+", " ");
      System.out.printf("| %d. %s | %s |%n", i + 1, QUESTIONS.get(i), text);
    }
    System.out.println();
  }

  /** Returns where the bill of the run is shown. */
  private String bill() {
    if (!isAws()) {
      return "https://console.cloud.google.com/billing/reports, filtered by the label elastune-run: "
          + run;
    }
    String day = time.instant().toString().substring(0, 10);
    return "`aws ce get-cost-and-usage --granularity DAILY --metrics UnblendedCost --time-period"
        + " Start="
        + day
        + ",End="
        + time.instant().plus(Duration.ofDays(2)).toString().substring(0, 10)
        + " --filter '{\"Tags\":{\"Key\":\"elastune-run\",\"Values\":[\""
        + run
        + "\"]}}'`, once elastune-run is a cost allocation tag of the account";
  }

  private boolean isAws() {
    return infra.startsWith("aws/");
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already
    }
  }

  private Offer builtInOffer(CloudProvider provider, String type, Market market) {
    return provider.builtInOffers(List.of(infra)).stream()
        .flatMap(catalog -> catalog.offers().stream())
        .filter(offer -> offer.instanceType().equals(type) && offer.market() == market)
        .findFirst()
        .orElseThrow(
            () ->
                new Stop(
                    2,
                    infra
                        + (market == Market.SPOT ? " has no spot price of " : " has no on-demand price of ")
                        + type
                        + ": choose another region or --type"));
  }

  /** The cost of all minutes until the expiry, and one to shut down, with disk and address. */
  private static double mostUsd(Offer offer) {
    return (offer.usdPerHour() + offer.diskUsdPerHour())
        * LONGEST.plusMinutes(1).toSeconds()
        / 3600;
  }

  private void requireBudget(int instances, double each) {
    double most =
        instances * each + (options.containsKey("--fis-role") ? INTERRUPTION_USD : 0);
    System.out.printf(
        Locale.ROOT,
        "%s: %d in succession, each for at most %d minutes, together at most $%.3f before tax, by"
            + " the shipped price table%s%n",
        infra,
        instances,
        LONGEST.plusMinutes(1).toMinutes(),
        most,
        options.containsKey("--fis-role") ? ", with $0.50 for the interruption" : "");
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

  private void rent(TestedCloud cloudOf, TestLease tested) {
    boolean deadMan = options.containsKey("--dead-man");
    try (Cloud cloud = cloudOf.provider().open(cloudOf.context(), events::add)) {
      requested = time.instant();
      cloud.limitNodeExpiry(new NodeExpiryLimit(requested.plus(LONGEST), Map.of(lease, LONGEST)));
      cloud.request(request(tested));
      boolean keep = false;
      try {
        await(CloudEvent.Running.class, READY_WITHIN);
        String start = tested.market() + " after " + seconds() + " s";
        answer(4, start);
        if (tested.offer().market() == Market.SPOT) {
          answer(0, "yes: it ran after " + seconds() + " s");
        }
        if (tested.facts()) {
          CloudEvent failed = await(CloudEvent.PreparationFailed.class, READY_WITHIN);
          answerFacts(((CloudEvent.PreparationFailed) failed).message());
        } else {
          await(CloudEvent.Ready.class, READY_WITHIN);
          answer(1, "yes, " + tested.market() + " after " + seconds() + " s");
        }
        TaggedInstance instance = findByTag(cloudOf.account());
        if (tested.offer().market() == Market.SPOT) {
          interrupt(instance);
        }
        keep = deadMan;
        if (keep) {
          step(
              "the controller stops; the instance must shut down at "
                  + instance.expires().orElseThrow());
        }
      } finally {
        if (!keep && !ended) {
          Instant released = time.instant();
          cloud.release(lease);
          CloudEvent end = await(CloudEvent.Terminated.class, SHUT_DOWN_WITHIN);
          Duration after = Duration.between(released, ((CloudEvent.Terminated) end).at());
          answer(6, tested.market() + " " + after.toSeconds() + " s after the release");
        }
      }
    }
    if (deadMan && awaitEnd(cloudOf.account(), LONGEST.plus(SHUT_DOWN_WITHIN))) {
      throw new Stop(1, "failed: the instance has not shut itself down");
    }
    if (!instances(cloudOf.account()).isEmpty()) {
      throw new Stop(1, "failed: the instance is still listed");
    }
    step("no instance has the tag of the run any more");
  }

  /** Has the cloud interrupt an instance, and waits for its end if the account allows that. */
  private void interrupt(TaggedInstance instance) {
    Instant began = time.instant();
    try {
      if (isAws()) {
        runExperiment();
      } else {
        String[] zoneAndName = instance.id().split("/", 2);
        CloudTool.call(
            "gcloud compute instances simulate-maintenance-event --async --quiet --zone",
            zoneAndName[0],
            zoneAndName[1]);
      }
    } catch (CloudTool.Failure e) {
      answer(10, e.getMessage());
      return;
    }
    step("interruption requested");
    try {
      await(CloudEvent.Terminated.class, INTERRUPTED_WITHIN);
    } catch (Stop e) {
      answer(10, "no: " + e.getMessage());
      throw e;
    }
    String notice =
        announced
            .map(at -> "yes: announced after " + Duration.between(began, at).toSeconds() + " s")
            .orElse("no: not announced");
    long after = Duration.between(began, time.instant()).toSeconds();
    answer(10, notice + ", terminated after " + after + " s");
    answer(6, "spot, interrupted: " + loss.orElse("no reason"));
  }

  /** Interrupts the spot instance of the run with AWS Fault Injection Service. */
  private void runExperiment() throws CloudTool.Failure {
    if (!options.containsKey("--fis-role")) {
      throw new CloudTool.Failure(
          List.of("scripts/smoke-test", "--infra", infra, "--budget", "2", "--rent-and-pay", "--fis-role", "ARN"),
          "no role of FIS is given (docs/aws.md)");
    }
    String region = infra.substring("aws/".length());
    String template =
        CloudTool.call(
            "aws fis create-experiment-template --query experimentTemplate.id --output text --region",
            region,
            "--cli-input-json",
            EXPERIMENT.replace("@RUN@", run).replace("@ROLE@", options.get("--fis-role")));
    try {
      CloudTool.call(
          "aws fis start-experiment --region", region, "--experiment-template-id", template);
      mostBilled += INTERRUPTION_USD;
    } finally {
      try {
        CloudTool.call("aws fis delete-experiment-template --region", region, "--id", template);
      } catch (CloudTool.Failure e) {
        answer(10, "the template of the experiment is left, " + e.getMessage());
      }
    }
  }

  /** A program of a cloud that this test can do without. */
  private static final class CloudTool {
    private static final int MOST_OUTPUT = 400;
    private static final int TIMEOUT_S = 60;

    private CloudTool() {}

    /** The tool is missing, or refuses; the message says how to repeat the command. */
    private static final class Failure extends Exception {
      private static final long serialVersionUID = 1;

      Failure(List<String> command, String reason) {
        super("unknown: " + reason + "; to try: `" + quoted(command) + "`");
      }
    }

    /** Returns what a command prints. The first argument is its words, the others are values. */
    static String call(String words, String... values) throws Failure {
      List<String> command = new ArrayList<>(List.of(words.split(" ")));
      command.addAll(List.of(values));
      try {
        Path out = Files.createTempFile("smoke-test", ".out");
        Path err = Files.createTempFile("smoke-test", ".err");
        try {
          Process process =
              new ProcessBuilder(command)
                  .redirectOutput(out.toFile())
                  .redirectError(err.toFile())
                  .start();
          process.getOutputStream().close();
          if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new Failure(command, "no answer after " + TIMEOUT_S + " s");
          }
          if (process.exitValue() != 0) {
            String reason = Files.readString(err, StandardCharsets.UTF_8).strip();
            reason = reason.substring(0, Math.min(reason.length(), MOST_OUTPUT));
            throw new Failure(command, "exit code " + process.exitValue() + ", " + reason);
          }
          return Files.readString(out, StandardCharsets.UTF_8).strip();
        } finally {
          Files.deleteIfExists(out);
          Files.deleteIfExists(err);
        }
      } catch (IOException e) {
        throw new Failure(command, e.getMessage());
      } catch (InterruptedException e) {
        throw new Stop(1, "interrupted");
      }
    }

    private static String quoted(List<String> command) {
      return String.join(
          " ",
          command.stream()
              .map(word -> word.matches("[\\w./:=-]+") ? word : "'" + word + "'")
              .toList());
    }
  }

  private long seconds() {
    return Duration.between(requested, time.instant()).toSeconds();
  }

  /** Reads the facts in the output of the setup. A setup that fails is repeated once. */
  private void answerFacts(String output) {
    Map<String, String> facts = new LinkedHashMap<>();
    output
        .lines()
        .filter(line -> line.startsWith(FACT))
        .map(line -> line.substring(FACT.length()).split(" ", 2))
        .forEach(
            fact ->
                facts.merge(
                    fact[0], fact[1].strip(), (one, other) -> one.contains(other) ? one : one + ", " + other));
    if (!facts.containsKey("gpu")) {
      throw new Stop(1, "failed: the setup reported no facts: " + output);
    }
    answer(2, "microseconds since the boot: " + facts.get("started"));
    answer(3, facts.get("python"));
    answer(5, facts.get("expires").isEmpty() ? "no" : "yes: " + facts.get("expires"));
    answer(8, facts.get("gpu"));
    String training = facts.getOrDefault("training", "no: not reported");
    answer(9, training);
    if (!training.startsWith("yes: ")) {
      throw new Stop(1, "failed: no program trained on the GPU: " + training);
    }
  }

  private LeaseRequest request(TestLease tested) {
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
    NodeSetup setup =
        new NodeSetup(tested.facts() ? FACTS : SETUP, "/opt/elastune-smoke", Map.of(), "");
    return new LeaseRequest(
        run,
        lease,
        tested.offer(),
        Optional.of(setup),
        tags,
        DEAD_MAN,
        false,
        0,
        Optional.of(LONGEST),
        Optional.empty());
  }

  /** Waits for an event, which it returns, and fails at any that excludes it. */
  private CloudEvent await(Class<? extends CloudEvent> wanted, Duration within) {
    Instant until = time.instant().plus(within);
    while (time.instant().isBefore(until)) {
      CloudEvent event = next();
      if (event == null) {
        continue;
      }
      step(event.toString());
      if (event instanceof CloudEvent.Leaving leaving) {
        announced = Optional.of(leaving.at());
      } else if (event instanceof CloudEvent.Lost lost) {
        loss = Optional.of(lost.loss() + ", " + lost.message());
      }
      ended |= event instanceof CloudEvent.Refused || event instanceof CloudEvent.Terminated;
      if (wanted.isInstance(event)) {
        return event;
      }
      boolean fails =
          ended || event instanceof CloudEvent.PreparationFailed || event instanceof CloudEvent.Lost;
      boolean expensive =
          event instanceof CloudEvent.Priced priced && isTooExpensive(priced.usdPerHour());
      if (expensive || (fails && wanted != CloudEvent.Terminated.class)) {
        throw new Stop(
            1, event instanceof CloudEvent.Refused no ? no.message() : "failed: " + event);
      }
    }
    throw new Stop(1, "failed: not " + wanted.getSimpleName() + " after " + within);
  }

  private boolean isTooExpensive(double usdPerHour) {
    return usdPerHour * LONGEST.plusMinutes(1).toSeconds() / 3600 > MOST_USD / 3;
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

  private void reportCost(Offer offer) {
    double seconds =
        requested.equals(Instant.MAX) ? 0 : Duration.between(requested, time.instant()).toSeconds();
    double usd = seconds * (offer.usdPerHour() + offer.diskUsdPerHour()) / 3600;
    mostBilled += usd;
    System.out.printf(Locale.ROOT, "%.0f s, at most $%.3f%n", seconds, usd);
  }

  private void step(String text) {
    long seconds =
        requested.equals(Instant.MAX) ? 0 : Duration.between(requested, time.instant()).toSeconds();
    System.out.printf("%4d s  %s%n", seconds, text);
  }
}
