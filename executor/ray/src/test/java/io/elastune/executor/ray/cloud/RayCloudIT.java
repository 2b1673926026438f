package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.executor.ray.RayCluster;
import io.elastune.executor.ray.SharedRayCluster;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Leaving;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TaggedInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs the contract suite on a real Ray cluster that requires a token: two nodes with four GPUs
 * each.
 */
@ResourceLock(SharedRayCluster.LOCK)
@Tag(Tier.NIGHTLY)
class RayCloudIT extends RayCloudContract {
  private static final int NODE_GPUS = 4;
  private static final String LEASE_2 = RUN + "-2";
  private static final String LEASE_3 = RUN + "-3";

  @RegisterExtension private static final SharedRayCluster CLUSTER = new SharedRayCluster();

  private static RayCluster cluster() {
    return CLUSTER.cluster();
  }

  /** The folder of the agents, if it is not that of the cluster. */
  private Optional<Path> root = Optional.empty();

  @Override
  BridgeSettings bridge(int number) {
    BridgeSettings usual = cluster().bridge(folder.resolve("ray.log"), RUN, number);
    return root.map(
            other ->
                new BridgeSettings(
                    usual.python(),
                    usual.address(),
                    other.toString(),
                    RUN,
                    number,
                    usual.log(),
                    usual.environment(),
                    usual.patience()))
        .orElse(usual);
  }

  /** A neighbor would execute his programs as this user, with the secrets of the job. */
  @Test
  void folderThatAnotherUserOfTheNodeHasCreatedIsRefused() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "skipped: only root can do this");
    Path shared = Files.createTempDirectory("elastune-users");
    try {
      Files.setAttribute(shared, "unix:mode", 01777);
      Path agents = shared.resolve("agents");
      String create = "mkdir '" + agents + "' && chmod 777 '" + agents + "'";
      List<String> asNeighbor =
          List.of("setpriv", "--reuid=4322", "--regid=4322", "--clear-groups", "sh", "-c", create);
      assertThat(new ProcessBuilder(asNeighbor).inheritIO().start().waitFor()).isZero();
      cloud.close();
      root = Optional.of(agents);
      cloud = open(events);
      cloud.request(wholeNode(LEASE));
      until(() -> events.has(Refused.class, LEASE));

      assertThat(events.types(LEASE)).containsExactly(Refused.class);
      assertThat(events.first(Refused.class, LEASE).message())
          .contains(agents + " is not private: it belongs to the user 4322");
      assertThat(agents).isEmptyDirectory();
      cluster().awaitFreeGpus(2 * NODE_GPUS);
      Files.delete(agents);
    } finally {
      Files.delete(shared);
    }
  }

  /** Requests GPUs only: the nodes have too few CPUs for all instances of the suite. */
  @Override
  protected LeaseRequest request(
      String lease, double queueS, double bootS, Optional<NodeSetup> setup) {
    LeaseRequest given = super.request(lease, queueS, bootS, setup);
    return given.offer().coresPerGpu() == 1 ? with(given, offer("any", GPUS, 0)) : given;
  }

  private LeaseRequest wholeNode(String lease) {
    return with(request(lease, 0, 0, Optional.empty()), offer("any", NODE_GPUS, 0));
  }

  private String ip(String lease) {
    return events.first(Ready.class, lease).node().address();
  }

  @Test
  void pendingRequestGetsTheGpusOfAReleasedLease() throws Exception {
    cloud.request(wholeNode(LEASE));
    cloud.request(wholeNode(LEASE_2));
    until(() -> events.has(Ready.class, LEASE) && events.has(Ready.class, LEASE_2));
    assertThat(List.of(ip(LEASE), ip(LEASE_2)))
        .containsExactlyInAnyOrder(cluster().node(1), cluster().node(2));
    assertThat(events.first(Ready.class, LEASE).node().devices())
        .containsExactly("0", "1", "2", "3");
    cluster().awaitFreeGpus(0);

    cloud.request(wholeNode(LEASE_3));
    until(() -> list().size() == 3);
    assertThat(events.types(LEASE_3)).isEmpty();
    cloud.release(LEASE);
    until(() -> events.has(Ready.class, LEASE_3));
    assertThat(ip(LEASE_3)).isEqualTo(ip(LEASE));
    assertThat(events.first(Running.class, LEASE_3).at())
        .isAfter(events.first(Terminated.class, LEASE).at().minusSeconds(2));

    cloud.release(LEASE_2);
    cloud.release(LEASE_3);
    until(() -> events.has(Terminated.class, LEASE_2) && events.has(Terminated.class, LEASE_3));
    cluster().awaitFreeGpus(2 * NODE_GPUS);
  }

  @Test
  void requestThatFindsNoFreeGpusIsRefusedAndLeavesNothing() throws Exception {
    cloud.close();
    cloud = open(events, settings(Duration.ofSeconds(6), Duration.ofSeconds(60)));
    cloud.request(wholeNode(LEASE));
    cloud.request(wholeNode(LEASE_2));
    until(() -> events.has(Ready.class, LEASE) && events.has(Ready.class, LEASE_2));
    cloud.request(wholeNode(LEASE_3));
    until(() -> events.has(Refused.class, LEASE_3));

    assertThat(events.types(LEASE_3)).containsExactly(Refused.class);
    Refused refused = events.first(Refused.class, LEASE_3);
    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message())
        .startsWith("no node of the Ray cluster has had 4 GPUs (any) free within 6s");
    assertThat(list()).hasSize(2);
  }

  /** The nodes have simulated GPUs only: each is refused, and the next request gets the other. */
  @Test
  void nodeThatCannotBecomeReadyIsAvoided() throws Exception {
    cloud.close();
    Duration limit = Duration.ofSeconds(30);
    cloud =
        open(events, new RayCloudSettings(limit, false, limit, AcceptanceSettings.OF_USER_CLUSTER));
    LeaseRequest small = with(request(LEASE, 0, 0, Optional.empty()), offer("any", 1, 0));
    cloud.request(small);
    until(() -> events.has(PreparationFailed.class, LEASE));
    assertThat(events.first(PreparationFailed.class, LEASE).message())
        .startsWith("no NVIDIA driver");
    String refused =
        cluster().leasesOn(cluster().node(1)).isEmpty() ? cluster().node(2) : cluster().node(1);
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    cloud.request(with(request(LEASE_2, 0, 0, Optional.empty()), offer("any", 1, 0)));
    until(() -> events.has(PreparationFailed.class, LEASE_2));
    assertThat(cluster().leasesOn(refused)).isEmpty();
    cloud.release(LEASE_2);
    until(() -> events.has(Terminated.class, LEASE_2));
    cluster().awaitFreeGpus(2 * NODE_GPUS);
  }

  /** One node is announced to end and ends; the other one ends without a notice. */
  @Test
  void drainedNodeIsLeavingAndEndedNodesAreLost() throws Exception {
    cloud.close();
    cloud = open(events, settings(Duration.ofSeconds(30), Duration.ofSeconds(3)));
    List<String> leases = List.of(RUN + "-11", RUN + "-12"); // their files stay on the nodes
    leases.forEach(lease -> cloud.request(wholeNode(lease)));
    until(() -> leases.stream().allMatch(lease -> events.has(Ready.class, lease)));
    boolean ordered = ip(leases.get(0)).equals(cluster().node(1));
    String drained = leases.get(ordered ? 0 : 1);
    String other = leases.get(ordered ? 1 : 0);
    cluster().drain(cluster().node(1));
    until(() -> events.has(Leaving.class, drained));
    assertThat(events.first(Leaving.class, drained).message())
        .isEqualTo("the Ray cluster drains node " + cluster().node(1));
    assertThat(events.has(Leaving.class, other)).isFalse();

    cluster().kill(cluster().node(1));
    cluster().kill(cluster().node(2));
    until(() -> events.has(Terminated.class, drained) && events.has(Terminated.class, other));
    assertThat(events.first(Lost.class, drained).loss()).isEqualTo(LossReason.PREEMPTED);
    assertThat(events.first(Lost.class, other).loss())
        .isIn(LossReason.FAILED, LossReason.LOST_CONTACT);
    assertThat(list()).isEmpty();

    cluster().startNode(cluster().node(1));
    cluster().startNode(cluster().node(2));
    cluster().awaitNodes();
  }

  private RayAccount account(String fields, Optional<String> token) throws Exception {
    String settings =
        "ray:%n  lab: {address: \"%s\", python: %s%s}%n"
            .formatted(cluster().address(), RayCluster.python().orElseThrow(), fields);
    Files.writeString(folder.resolve("clouds.yaml"), settings);
    CloudContext context =
        new CloudContext(folder, folder.resolve("clouds.yaml"), InstantSource.system());
    return new RayAccount(context, name -> name.equals("LAB_TOKEN") ? token : Optional.empty());
  }

  @Test
  void orphansAreListedAndTerminated() throws Exception {
    cloud.close();
    cloud = open(events, settings(Duration.ofMinutes(10), Duration.ofSeconds(60)));
    cloud.request(wholeNode(LEASE));
    until(() -> events.has(Ready.class, LEASE));
    cloud.request(with(wholeNode(LEASE_2), offer("any", 1000, 0)));
    RayAccount account = account(", token_env: LAB_TOKEN", Optional.of(SharedRayCluster.TOKEN));
    until(() -> account.instances(List.of()).size() == 2); // the cluster knows the request
    var unused = reopen(); // as after a controller that was killed: nothing is released

    List<TaggedInstance> found = account.instances(List.of());
    assertThat(found)
        .extracting(TaggedInstance::region, TaggedInstance::id, TaggedInstance::instanceType)
        .containsExactlyInAnyOrder(
            tuple("lab", LEASE, "contract"), tuple("lab", LEASE_2, "pending"));
    assertThat(found).extracting(TaggedInstance::run).containsOnly(RUN);
    TaggedInstance held = found.stream().filter(i -> i.id().equals(LEASE)).findFirst().get();
    assertThat(held.owner()).isEqualTo("tester");
    assertThat(held.expires().orElseThrow())
        .isBetween(Instant.now().minusSeconds(1), Instant.now().plusSeconds(20));

    account.terminate(found);
    assertThat(account.instances(List.of())).isEmpty();
    cluster().awaitFreeGpus(2 * NODE_GPUS);
  }

  @Test
  void checkNamesMissingAndWrongTokens() throws Exception {
    String field = ", token_env: LAB_TOKEN";
    CheckResult passed = check(field, Optional.of(SharedRayCluster.TOKEN));
    assertThat(passed.ok()).isTrue();
    assertThat(passed.detail())
        .startsWith("Ray 2.")
        .endsWith(" at " + cluster().address() + ": 3 nodes, 8 GPUs, 4 CPUs");
    String refused =
        "the Ray cluster at " + cluster().address() + " refuses the token, or needs one";
    for (CheckResult failed :
        List.of(check("", Optional.empty()), check(field, Optional.of("w")))) {
      assertThat(failed.refusal()).isEqualTo(RefusalReason.PERMISSION);
      assertThat(failed.detail()).startsWith(refused);
    }
    CheckResult missing = check(field, Optional.empty());
    assertThat(missing.refusal()).isEqualTo(RefusalReason.PERMISSION);
    assertThat(missing.detail()).contains("the environment variable LAB_TOKEN is not set");
    RayAccount account = account("", Optional.empty());
    assertThatThrownBy(() -> account.offers(List.of()))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining(refused);
  }

  private CheckResult check(String fields, Optional<String> token) throws Exception {
    return account(fields, token).check(new CapacityRequest(List.of(), List.of(), 1)).get(0);
  }
}
