package io.elastune.provisioner.aws.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.SetupFailed;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.Finding;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Need;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.testing.AwsWorld;
import io.elastune.provisioner.aws.testing.Requests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The policy in docs/aws.md is enough, and each of its lines is needed. */
class PolicyTest {
  private static final Path DOC =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../../docs/aws.md");
  private static final Pattern ACTION = Pattern.compile("\"([a-z0-9]+:[A-Za-z]+)\"(?!:)");
  private static final String LEASE = Requests.RUN + "-1";

  @RegisterExtension private final AwsWorld world = new AwsWorld();
  @TempDir private Path home;

  static Set<String> policy() throws IOException {
    Matcher block = Pattern.compile("(?s)```json\n(.*?)```").matcher(Files.readString(DOC));
    assertThat(block.find()).isTrue();
    Set<String> actions = new TreeSet<>();
    Matcher action = ACTION.matcher(block.group(1));
    while (action.find()) {
      actions.add(action.group(1));
    }
    return actions;
  }

  @Test
  void thePolicyIsEnough() throws IOException {
    world.fake().allow(policy());
    assertThat(everything()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("policy")
  void withoutAnyOneOfItsLinesItIsNot(String line) throws IOException {
    Set<String> rest = policy();
    rest.remove(line);
    world.fake().allow(rest);
    assertThat(everything()).isNotEmpty().anyMatch(problem -> problem.contains(line));
  }

  /** Does all that Elastune does in an account; gives what went wrong. */
  private List<String> everything() throws IOException {
    List<String> problems = new ArrayList<>(rented());
    Files.writeString(
        home.resolve("clouds.yaml"),
        """
        aws:
          us-east-1: {image: ami-01, subnets: {us-east-1a: subnet-0a}, instance_profile: node}
        """);
    CloudContext context = CloudContext.of(home, AwsWorld.TIME);
    try (CloudAccount account = new AwsCloudProvider().account(context).orElseThrow()) {
      List<Offer> offers =
          List.of(
              Requests.of(LEASE).offer(),
              Requests.of(LEASE, "aws/us-east-1", "g5.12xlarge", Market.SPOT).offer());
      account.check(new Need(List.of("aws/us-east-1"), offers, 1)).stream()
          .filter(finding -> !finding.ok())
          .map(Finding::detail)
          .forEach(problems::add);
      account.offers(List.of("aws/us-east-1"));
      world.fake().ec2().add("g5.xlarge", Map.of(Tags.RUN, Requests.RUN));
      account.end(account.instances(List.of()));
    } catch (CloudException e) {
      problems.add(e.failure().message());
    }
    return problems;
  }

  /** Rents, puts the node's time off, and returns it. */
  private List<String> rented() {
    RecordedEvents events = new RecordedEvents();
    LeaseRequest request = Requests.near(Requests.of(LEASE));
    try (Cloud cloud = world.open(events)) {
      cloud.request(request);
      AwsWorld.until(
          () ->
              events.has(Ready.class, LEASE)
                  || events.has(Refused.class, LEASE)
                  || events.has(SetupFailed.class, LEASE),
          events);
      if (events.has(Refused.class, LEASE)) {
        return List.of(events.first(Refused.class, LEASE).message());
      }
      if (events.has(SetupFailed.class, LEASE)) {
        return List.of(events.first(SetupFailed.class, LEASE).message());
      }
      cloud.release(LEASE);
      if (world.fake().allows("ec2:TerminateInstances")) {
        AwsWorld.until(() -> events.has(Terminated.class, LEASE), events);
      }
      cloud.list(Requests.RUN);
      return groupsLeft();
    }
  }

  /**
   * Whoever may not remove an empty group leaves it: no instance is in it, and it costs nothing.
   */
  private List<String> groupsLeft() {
    boolean may =
        world.fake().allows("ec2:TerminateInstances")
            && world.fake().allows("ec2:DescribePlacementGroups")
            && world.fake().allows("ec2:DeletePlacementGroup");
    if (may) {
      AwsWorld.until(() -> world.fake().ec2().groups().names().isEmpty(), "a group is left");
    }
    return world.fake().ec2().groups().names().isEmpty()
        ? List.of()
        : List.of("left without ec2:DescribePlacementGroups or ec2:DeletePlacementGroup: a group");
  }
}
