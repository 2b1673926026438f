package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.gcp.model.GpuFamilyQuotas;
import io.elastune.provisioner.gcp.model.ProjectServices;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Calls Cloud Quotas, Resource Manager and IAM, each in version 1 of its REST API. */
public final class SdkProjectServices implements ProjectServices {
  private static final String TEST = ":testIamPermissions";

  private final ClientConfig clientConfig;

  /**
   * Creates clients with the configuration of this machine.
   *
   * @param project the project in the settings; empty for that of the variables or the credentials
   */
  public SdkProjectServices(Optional<String> project) {
    this(ClientConfig.load(project));
  }

  SdkProjectServices(ClientConfig clientConfig) {
    this.clientConfig = clientConfig;
  }

  @Override
  public GpuFamilyQuotas gpuFamilyQuotas() {
    JsonNode quota =
        new RestApi(clientConfig, "cloudquotas")
            .get(
                "cloudquotas.quotas.get",
                "/v1/projects/%s/locations/global/services/compute.googleapis.com/quotaInfos/%s"
                    .formatted(clientConfig.project(), GpuFamilyQuotas.QUOTA_ID));
    List<GpuFamilyQuotas.Row> rows = new ArrayList<>();
    for (JsonNode row : quota.path("dimensionsInfos")) {
      JsonNode dimensions = row.path("dimensions");
      rows.add(
          new GpuFamilyQuotas.Row(
              text(dimensions.path("gpu_family")),
              text(dimensions.path("region")),
              limit(row.path("details").path("value"))));
    }
    return new GpuFamilyQuotas(rows);
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node.asString("")).filter(text -> !text.isEmpty());
  }

  /** Google leaves a limit of 0 out, and reports an unlimited quota as -1. */
  private static double limit(JsonNode value) {
    double limit = Double.parseDouble(value.asString("0"));
    return limit < 0 ? Double.POSITIVE_INFINITY : limit;
  }

  @Override
  public Set<String> grantedOnProject(Collection<String> permissions) {
    return granted("cloudresourcemanager", "/v1/projects/" + clientConfig.project(), permissions);
  }

  @Override
  public Set<String> grantedOnAccount(String serviceAccount, Collection<String> permissions) {
    return granted("iam", "/v1/projects/-/serviceAccounts/" + serviceAccount, permissions);
  }

  private Set<String> granted(String api, String resource, Collection<String> permissions) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    permissions.forEach(body.putArray("permissions")::add);
    return new RestApi(clientConfig, api)
        .post("testIamPermissions", resource + TEST, body)
        .path("permissions")
        .valueStream()
        .map(JsonNode::asString)
        .collect(Collectors.toSet());
  }
}
