package io.elastune.provisioner.aws.fake;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Evaluates the part of IAM policies that Elastune uses: allow statements, resources with
 * wildcards, and the conditions {@code StringEquals}, {@code StringLike} and {@code
 * ForAllValues:StringEquals}.
 */
public final class FakePolicy {
  private final ObjectNode policy;

  private FakePolicy(ObjectNode policy) {
    this.policy = policy;
  }

  /**
   * The access that a call needs.
   *
   * @param action e.g. {@code ec2:CreateTags}
   * @param resource the ARN
   * @param keys the condition keys, e.g. {@code ec2:CreateAction}
   */
  record Access(String action, String resource, Map<String, String> keys) {}

  /** The permission of one action in one statement. */
  public record Line(String statement, String action) {}

  public static FakePolicy parse(String json) {
    return new FakePolicy((ObjectNode) JsonMapper.shared().readTree(json));
  }

  /** Returns all lines in order. */
  public List<Line> lines() {
    return statements()
        .flatMap(
            statement ->
                texts(statement.path("Action")).stream()
                    .map(action -> new Line(statement.path("Sid").asString(), action)))
        .toList();
  }

  /** Returns the policy without one line. */
  public FakePolicy without(Line line) {
    return changed(
        line.statement(),
        statement -> {
          Set<String> rest = new TreeSet<>(texts(statement.path("Action")));
          rest.remove(line.action());
          ArrayNode actions = statement.putArray("Action");
          rest.forEach(actions::add);
        });
  }

  /** Returns the policy with one statement that allows its actions unconditionally. */
  public FakePolicy anywhere(String statement) {
    return changed(
        statement,
        some -> {
          some.put("Resource", "*");
          some.remove("Condition");
        });
  }

  private FakePolicy changed(String sid, Consumer<ObjectNode> change) {
    ObjectNode copy = policy.deepCopy();
    copy.path("Statement")
        .valueStream()
        .filter(statement -> statement.path("Sid").asString().equals(sid))
        .forEach(statement -> change.accept((ObjectNode) statement));
    return new FakePolicy(copy);
  }

  /** Returns whether any statement allows the action on any resource. */
  boolean knows(String action) {
    return statements().anyMatch(some -> texts(some.path("Action")).contains(action));
  }

  boolean allows(Access access) {
    return statements()
        .filter(some -> some.path("Effect").asString().equals("Allow"))
        .filter(some -> texts(some.path("Action")).contains(access.action()))
        .filter(
            some ->
                texts(some.path("Resource")).stream()
                    .anyMatch(pattern -> like(access.resource(), pattern)))
        .anyMatch(
            some ->
                holds(some.at("/Condition/StringEquals"), access, String::equals)
                    && holds(some.at("/Condition/StringLike"), access, FakePolicy::like)
                    && allOf(some.path("Condition").path("ForAllValues:StringEquals"), access));
  }

  /** Whether all values of a key, separated by commas, are listed; also if there is no value. */
  private static boolean allOf(JsonNode condition, Access access) {
    return condition
        .propertyStream()
        .allMatch(
            entry ->
                texts(entry.getValue())
                    .containsAll(
                        Stream.of(access.keys().getOrDefault(entry.getKey(), "").split(",", -1))
                            .filter(value -> !value.isEmpty())
                            .toList()));
  }

  private static boolean holds(
      JsonNode condition, Access access, BiPredicate<String, String> matches) {
    return condition
        .propertyStream()
        .allMatch(
            entry -> {
              String value = access.keys().get(entry.getKey());
              return value != null
                  && texts(entry.getValue()).stream().anyMatch(some -> matches.test(value, some));
            });
  }

  /** With the variable for the name of the caller. */
  private static boolean like(String value, String pattern) {
    String regex =
        Stream.of(pattern.replace("${aws:username}", "tester").split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return value.matches(regex);
  }

  private Stream<JsonNode> statements() {
    return policy.path("Statement").valueStream();
  }

  private static List<String> texts(JsonNode node) {
    return node.isString()
        ? List.of(node.asString())
        : node.valueStream().map(JsonNode::asString).toList();
  }
}
