package io.elastune.provisioner.gcp.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Cloud Quotas, Resource Manager and IAM of the fake's project. Their APIs are enabled unless a
 * test disables one. Compute Engine's discovery document does not describe them.
 */
public final class FakeProjectServices {
  private static final Pattern QUOTA =
      Pattern.compile(
          "/v1/projects/my-project/locations/global/services/compute\\.googleapis\\.com/quotaInfos/"
              + "([A-Za-z-]+)");
  private static final Pattern TEST =
      Pattern.compile("/v1/projects/(my-project|-/serviceAccounts/[^/]+):testIamPermissions");
  private static final Pattern PERMISSION = Pattern.compile("[a-z]+(\\.[A-Za-z]+){2}");
  private static final int MOST_PERMISSIONS = 100;

  private final List<ObjectNode> rows = new ArrayList<>();
  private final List<String> disabled = new ArrayList<>();

  FakeProjectServices() {
    // Google leaves a limit of 0 out of the row.
    row("", "", 0);
    row("NVIDIA_H100", "", 0);
  }

  /** Sets the limit of a GPU family in a region; -1 for none, 0 as Google reports it. */
  public synchronized void family(String family, String region, int limit) {
    row(family, region, limit);
  }

  /** Disables an API, for example {@code cloudquotas}. */
  public synchronized void disable(String api) {
    disabled.add(api);
  }

  private void row(String family, String region, int limit) {
    ObjectNode row = FakeInstance.object();
    if (!family.isEmpty() || !region.isEmpty()) {
      ObjectNode dimensions = row.putObject("dimensions");
      put(dimensions, "region", region);
      put(dimensions, "gpu_family", family);
    }
    ObjectNode details = row.putObject("details");
    put(details, "value", limit == 0 ? "" : Integer.toString(limit));
    row.putArray("applicableLocations").add(region.isEmpty() ? "us-central1" : region);
    rows.add(row);
  }

  private static void put(ObjectNode node, String name, String value) {
    if (!value.isEmpty()) {
      node.put(name, value);
    }
  }

  /**
   * Responds to a call of these services; empty for any other call.
   *
   * @param granted whether a permission is granted without a condition
   */
  synchronized Optional<String> answer(
      String verb, String path, String body, Predicate<String> granted) {
    Matcher quota = QUOTA.matcher(path);
    if (quota.matches() && verb.equals("GET")) {
      require("cloudquotas");
      return Optional.of(quotas(quota.group(1), granted));
    }
    Matcher test = TEST.matcher(path);
    if (test.matches() && verb.equals("POST")) {
      require(test.group(1).startsWith("-") ? "iam" : "cloudresourcemanager");
      return Optional.of(tested(JsonMapper.shared().readTree(body), granted));
    }
    return Optional.empty();
  }

  private void require(String api) {
    if (disabled.contains(api)) {
      String service = api + ".googleapis.com";
      throw new ApiError(
          403,
          "SERVICE_DISABLED",
          service + " has not been used in project my-project before or it is disabled.",
          Optional.of(service));
    }
  }

  private String quotas(String id, Predicate<String> granted) {
    if (!granted.test("cloudquotas.quotas.get")) {
      throw new ApiError(
          403,
          "IAM_PERMISSION_DENIED",
          "Permission 'cloudquotas.quotas.get' denied on resource 'projects/my-project'");
    }
    if (!id.equals("GPUS-PER-GPU-FAMILY-per-project-region")) {
      throw ApiError.notFound(id);
    }
    ObjectNode answer = FakeInstance.object().put("quotaId", id).put("isPrecise", true);
    answer.putArray("dimensions").add("region").add("gpu_family");
    answer.putArray("dimensionsInfos").addAll(rows);
    return answer.toString();
  }

  private static String tested(JsonNode body, Predicate<String> granted) {
    List<String> asked = body.path("permissions").valueStream().map(JsonNode::asString).toList();
    if (asked.isEmpty()
        || asked.size() > MOST_PERMISSIONS
        || asked.stream().anyMatch(some -> !PERMISSION.matcher(some).matches())) {
      throw new ApiError(400, "INVALID_ARGUMENT", "Permissions are not valid: " + asked);
    }
    ObjectNode answer = FakeInstance.object();
    List<String> held = asked.stream().filter(granted).toList();
    if (!held.isEmpty()) { // an empty list is left out
      ArrayNode list = answer.putArray("permissions");
      held.forEach(list::add);
    }
    return answer.toString();
  }
}
