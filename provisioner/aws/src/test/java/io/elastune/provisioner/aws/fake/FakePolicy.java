package io.elastune.provisioner.aws.fake;

import java.util.LinkedHashMap;
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
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Evaluates the part of IAM policies that Elastune uses: allow statements with the conditions
 * {@code StringEquals}, {@code StringLike} and {@code ForAllValues:StringEquals}, deny statements
 * with the condition {@code Bool}, and actions and resources with wildcards.
 */
public final class FakePolicy {
  /** The ID of the caller: a session of an assumed role. */
  public static final String USER_ID = "AROAEXAMPLE:tester";

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
  public record Access(String action, String resource, Map<String, String> keys) {
    public Access {
      keys = Map.copyOf(keys);
    }
  }

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

  /**
   * Returns the policies that allow less: each lacks one action, one resource, or one of several
   * values of a condition. The keys name what is missing.
   */
  public Map<String, FakePolicy> narrower() {
    Map<String, FakePolicy> narrower = new LinkedHashMap<>();
    for (JsonNode statement : statements().toList()) {
      String sid = statement.path("Sid").asString();
      for (String list : List.of("Action", "Resource")) {
        for (String value : texts(statement.path(list))) {
          narrower.put(
              sid + " " + list + " " + value,
              changed(sid, copy -> copy.set(list, without(statement.path(list), value))));
        }
      }
      conditions(statement)
          .filter(condition -> texts(condition.values()).size() > 1)
          .forEach(
              condition -> {
                for (String value : texts(condition.values())) {
                  narrower.put(
                      sid + " " + condition.key() + " " + value,
                      changed(
                          sid,
                          copy ->
                              condition
                                  .in(copy)
                                  .set(condition.key(), without(condition.values(), value))));
                }
              });
    }
    return narrower;
  }

  /** Returns the policies that allow more: each lacks one condition, which the keys name. */
  public Map<String, FakePolicy> wider() {
    Map<String, FakePolicy> wider = new LinkedHashMap<>();
    for (JsonNode statement : statements().toList()) {
      String sid = statement.path("Sid").asString();
      conditions(statement)
          .forEach(
              condition ->
                  wider.put(
                      sid + " " + condition.key(),
                      changed(sid, copy -> condition.in(copy).remove(condition.key()))));
    }
    return wider;
  }

  private record Condition(String operator, String key, JsonNode values) {
    /** Returns the conditions with the same operator in a copy of the statement. */
    ObjectNode in(ObjectNode statement) {
      return (ObjectNode) statement.path("Condition").path(operator);
    }
  }

  private static Stream<Condition> conditions(JsonNode statement) {
    return statement
        .path("Condition")
        .propertyStream()
        .flatMap(
            operator ->
                operator
                    .getValue()
                    .propertyStream()
                    .map(key -> new Condition(operator.getKey(), key.getKey(), key.getValue())));
  }

  private static ArrayNode without(JsonNode values, String value) {
    ArrayNode rest = JsonNodeFactory.instance.arrayNode();
    texts(values).stream().filter(some -> !some.equals(value)).forEach(rest::add);
    return rest;
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

  /** Returns whether the policy denies an access, whatever other policies allow. */
  public boolean denies(Access access) {
    return matching("Deny", access)
        .anyMatch(some -> holds(some.at("/Condition/Bool"), access, FakePolicy::same));
  }

  /** Returns whether the policy allows an access. */
  public boolean allows(Access access) {
    return matching("Allow", access)
        .anyMatch(
            some ->
                holds(some.at("/Condition/StringEquals"), access, FakePolicy::same)
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

  /** The values of the variables for the caller. */
  private static String expanded(String text) {
    return text.replace("${aws:username}", "tester").replace("${aws:userid}", USER_ID);
  }

  private static boolean same(String value, String expected) {
    return value.equals(expanded(expected));
  }

  private static boolean like(String value, String pattern) {
    String regex =
        Stream.of(expanded(pattern).split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return value.matches(regex);
  }

  private Stream<JsonNode> matching(String effect, Access access) {
    return statements()
        .filter(some -> some.path("Effect").asString().equals(effect))
        .filter(some -> anyLike(some.path("Action"), access.action()))
        .filter(some -> anyLike(some.path("Resource"), access.resource()));
  }

  private static boolean anyLike(JsonNode patterns, String value) {
    return texts(patterns).stream().anyMatch(pattern -> like(value, pattern));
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
