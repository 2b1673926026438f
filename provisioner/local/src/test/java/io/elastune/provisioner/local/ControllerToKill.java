package io.elastune.provisioner.local;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.Keeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A controller for tests that kill it. It rents three instances. Two of them run workers that are
 * hard to end, while the third runs its setup. Then it prints "ready" and waits.
 */
final class ControllerToKill {
  private static final List<String> WORKERS =
      List.of(
          "sleep 1000",
          "trap '' TERM; while true; do sleep 1; done",
          "setsid sleep 1000 & (setsid nohup sleep 1000 >/dev/null 2>&1 &) ; exec sleep 1000",
          "trap '' TERM HUP INT; (trap '' TERM; setsid sh -c 'sleep 1000; sleep 1000') & wait");

  /** Kills both keepers at once, so that only its mark finds what they have kept. */
  private static final String KILL_KEEPERS =
      "sleep .1; kill -9 $PPID $(sed 's/.*) [A-Z] \\([0-9]*\\) .*/\\1/' /proc/$PPID/stat)";

  private final CountDownLatch ready = new CountDownLatch(2);
  private final Path home;
  private final String run;

  private ControllerToKill(Path home, String run) {
    this.home = home;
    this.run = run;
  }

  public static void main(String[] args) throws InterruptedException {
    new ControllerToKill(Path.of(args[0]), args[1]).live();
  }

  private void live() throws InterruptedException {
    LocalCloud cloud = new LocalCloud(home, InstantSource.system(), this::heard);
    cloud.request(request(1, Optional.empty()));
    cloud.request(request(2, Optional.empty()));
    NodeSetup endless =
        new NodeSetup(
            "trap '' TERM; sleep 999; sleep 999", home.toString(), Map.of(), home + "/log");
    cloud.request(request(3, Optional.of(endless)));
    ready.await();
    System.out.println("ready");
    while (true) {
      Thread.sleep(1000);
    }
  }

  private void heard(CloudEvent event) {
    if (event instanceof CloudEvent.Ready instance) {
      WORKERS.forEach(command -> start(instance.lease(), command));
      start(instance.lease(), escape("exec sleep 1000"));
      start(instance.lease(), escape(KILL_KEEPERS));
      ready.countDown();
    }
  }

  /** Starts a process that has left its parents and its environment, and writes its id. */
  private String escape(String then) {
    String script = "sh -c \"echo \\$\\$ >>" + home + "/escaped; exec sleep 1000\" &";
    return "env -i setsid sh -c '" + script + "' </dev/null >/dev/null 2>&1 & " + then;
  }

  private void start(String lease, String command) {
    ProcessBuilder builder = new ProcessBuilder();
    builder.environment().put("ELASTUNE_LEASE", lease);
    builder.environment().put("ELASTUNE_RUN", run);
    Keeper.start(builder, home.resolve("status-" + lease), List.of("sh", "-c", command));
    try {
      InstanceFolder.of(home, lease).register(builder.start().pid());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LeaseRequest request(int number, Optional<NodeSetup> setup) {
    String lease = run + "-" + number;
    Offer offer =
        new LocalCloudProvider()
            .builtInOffers(List.of("local"))
            .orElseThrow()
            .offers()
            .get(0)
            .withProvisioning(Spread.exactly(0.1 * number), Spread.exactly(0.1));
    Map<String, String> tags =
        Map.of(Tags.RUN, run, Tags.OWNER, "tester", Tags.LEASE, lease, Tags.EXPIRES, "1795000000");
    return new LeaseRequest(run, lease, offer, setup, tags, Duration.ofSeconds(20));
  }
}
