package io.elastune.provisioner.gcp.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Listed;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.gcp.offers.ShippedOffers;
import io.elastune.provisioner.gcp.sdk.SdkCompute;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the role in docs/gcp.md suffices and that each of its permissions is required. */
class RoleTest {
  private static final Path DOC =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../../docs/gcp.md");
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String SETTINGS =
      """
      gcp:
        project: my-project
        regions:
          us-central1:
            image: projects/my-project/global/images/family/gpu-nodes
            zones: [us-central1-a]
            subnetwork: elastune
            network_tags: [elastune]
            service_account: node@my-project.iam.gserviceaccount.com
            public_address: true
      """;

  /** An offer whose quota only Cloud Quotas reports. */
  private static final Offer H100 =
      ShippedOffers.in(List.of(ShippedOffers.defaultPlace()))
          .orElseThrow()
          .find("gcp/us-central1/a3-highgpu-8g/on-demand")
          .orElseThrow();

  /** Permissions that {@code check} cannot test without an effect. */
  private static final Set<String> OF_POLICIES =
      Set.of(
          "compute.regionOperations.get",
          "compute.resourcePolicies.create",
          "compute.resourcePolicies.delete",
          "compute.resourcePolicies.list",
          "compute.resourcePolicies.use");

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path home;

  /** Returns the permissions of both roles. */
  static Set<String> role() throws IOException {
    Set<String> permissions = new TreeSet<>();
    roles().forEach(permissions::addAll);
    return permissions;
  }

  /** Returns the role without a condition, and the role on instances. */
  private static List<Set<String>> roles() throws IOException {
    Matcher block =
        Pattern.compile("(?s)includedPermissions:\n(.*?)```").matcher(Files.readString(DOC));
    List<Set<String>> roles = new ArrayList<>();
    while (block.find()) {
      Set<String> permissions = new TreeSet<>();
      Matcher line = Pattern.compile("(?m)^ *- ([A-Za-z.]+)").matcher(block.group(1));
      while (line.find()) {
        permissions.add(line.group(1));
      }
      roles.add(permissions);
    }
    assertThat(roles).hasSize(2);
    return roles;
  }

  private static String condition() throws IOException {
    Matcher condition =
        Pattern.compile("--condition 'title=elastune,expression=(.*)'")
            .matcher(Files.readString(DOC));
    assertThat(condition.find()).isTrue();
    return condition.group(1);
  }

  /** Grants both roles, the second one with its condition. */
  private void grant(Set<String> permissions) throws IOException {
    world.fake().allow(permissions);
    world.fake().restrict(roles().get(1), condition());
  }

  @Test
  void instancesWithOtherNamesAreProtected() throws IOException {
    grant(role());
    world
        .fake()
        .compute()
        .add("us-central1-a", "web-1", "g2-standard-4", Map.of(Tags.RUN, TestLeaseRequests.RUN));
    try (Compute compute = new SdkCompute(Optional.of("my-project"))) {
      for (String name : List.of("web-1", "elastune-1")) {
        List<ThrowingCallable> calls =
            List.of(
                () -> compute.delete("us-central1-a", name, ResourceNames.requestId(name)),
                () -> compute.setMetadata("us-central1-a", name, Tags.EXPIRES, "0"));
        for (ThrowingCallable call : calls) {
          assertThatThrownBy(call)
              .as(name)
              .isInstanceOfSatisfying(
                  CloudException.class,
                  e ->
                      assertThat(e.failure() instanceof CloudFailure.Permission)
                          .as(e.failure().message())
                          .isEqualTo(name.equals("web-1")));
        }
      }
    }
    assertThat(world.fake().compute().existingLeases()).hasSize(1);
  }

  @Test
  void roleSuffices() throws IOException {
    grant(role());
    assertThat(launchProblems()).isEmpty();
    assertThat(accountProblems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("role")
  void eachPermissionIsRequired(String permission) throws IOException {
    Set<String> rest = role();
    rest.remove(permission);
    grant(rest);
    List<String> problems = new ArrayList<>(accountProblems());
    if (OF_POLICIES.contains(permission)) {
      problems.addAll(launchProblems());
    }
    assertThat(problems).isNotEmpty().anyMatch(problem -> problem.contains(permission));
  }

  /** Makes all calls outside of a run and returns the problems. */
  private List<String> accountProblems() throws IOException {
    List<String> problems = new ArrayList<>();
    Files.writeString(home.resolve("clouds.yaml"), SETTINGS);
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), GcpTestEnvironment.TIME);
    try (CloudAccount account = new GcpCloudProvider().account(context).orElseThrow()) {
      List<Offer> offers =
          List.of(
              TestLeaseRequests.of(LEASE).offer(),
              TestLeaseRequests.of(LEASE, "gcp/us-central1", "g2-standard-48", Market.SPOT).offer(),
              H100);
      world.fake().services().family("NVIDIA_H100", "us-central1", -1);
      account.check(new CapacityRequest(List.of("gcp/us-central1"), offers, 1)).stream()
          .filter(checkResult -> !checkResult.ok())
          .map(checkResult -> checkResult.check() + ": " + checkResult.detail())
          .forEach(problems::add);
      account.offers(List.of("gcp/us-central1"));
      world
          .fake()
          .compute()
          .add(
              "us-central1-a",
              "elastune-x",
              "g2-standard-4",
              Map.of(Tags.RUN, TestLeaseRequests.RUN));
      account.terminate(account.instances(List.of()));
    } catch (CloudException e) {
      problems.add(e.failure().message());
    }
    return problems;
  }

  /** Launches and releases an instance and returns the problems. */
  private List<String> launchProblems() {
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = world.open(events)) {
      cloud.request(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
      TestWait.until(
          () ->
              events.has(Ready.class, LEASE)
                  || events.has(Refused.class, LEASE)
                  || events.has(PreparationFailed.class, LEASE),
          events);
      if (!events.has(Ready.class, LEASE)) {
        return List.of(events.toString());
      }
      cloud.release(LEASE);
      TestWait.until(() -> events.has(Terminated.class, LEASE), events);
      cloud.list(TestLeaseRequests.RUN);
      TestWait.until(() -> events.has(Listed.class, ""), events);
      return world.fake().compute().policies().names().isEmpty()
          ? List.of()
          : List.of(
              "left because "
                  + OF_POLICIES
                  + " are missing: a placement policy, which costs nothing");
    }
  }
}
