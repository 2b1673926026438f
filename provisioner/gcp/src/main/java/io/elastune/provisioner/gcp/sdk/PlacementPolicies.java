package io.elastune.provisioner.gcp.sdk;

import com.google.cloud.compute.v1.DeleteResourcePolicyRequest;
import com.google.cloud.compute.v1.InsertResourcePolicyRequest;
import com.google.cloud.compute.v1.ListResourcePoliciesRequest;
import com.google.cloud.compute.v1.Operation;
import com.google.cloud.compute.v1.RegionOperationsClient;
import com.google.cloud.compute.v1.RegionOperationsSettings;
import com.google.cloud.compute.v1.ResourcePoliciesClient;
import com.google.cloud.compute.v1.ResourcePoliciesSettings;
import com.google.cloud.compute.v1.ResourcePolicy;
import com.google.cloud.compute.v1.ResourcePolicyGroupPlacementPolicy;
import com.google.cloud.compute.v1.ResourcePolicyList;
import com.google.cloud.compute.v1.WaitRegionOperationRequest;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.remote.Lazy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Creates and deletes compact placement policies. They have no labels, so their description
 * contains the run.
 */
final class PlacementPolicies {
  private static final String COLLOCATED = "COLLOCATED";
  private static final int ALREADY_EXISTS = 409;
  private static final int PAGE = 500;

  /** How many wait calls are known for an operation. Each blocks for up to two minutes. */
  private static final int WAITS = 2;

  private final String project;
  private final SdkCalls sdkCalls;
  private final Lazy<ResourcePoliciesClient> policies;
  private final Lazy<RegionOperationsClient> operations;
  private final Set<String> known = new HashSet<>();

  PlacementPolicies(String project, SdkCalls sdkCalls, SdkClients sdkClients) {
    this.project = project;
    this.sdkCalls = sdkCalls;
    policies =
        new Lazy<>(
            () ->
                sdkClients.create(
                    ResourcePoliciesSettings.newBuilder(), ResourcePoliciesClient::create));
    operations =
        new Lazy<>(
            () ->
                sdkClients.create(
                    RegionOperationsSettings.newBuilder(), RegionOperationsClient::create));
  }

  /**
   * Insertions run in several threads: the first creates the policy, the others wait for it. There
   * is no request ID, because Google would not recreate a deleted policy for a known ID.
   */
  synchronized void create(String region, String name, String run) {
    if (known.contains(name)) {
      return;
    }
    InsertResourcePolicyRequest request =
        InsertResourcePolicyRequest.newBuilder()
            .setProject(project)
            .setRegion(region)
            .setResourcePolicyResource(
                ResourcePolicy.newBuilder()
                    .setName(name)
                    .setDescription(description(run))
                    .setGroupPlacementPolicy(
                        ResourcePolicyGroupPlacementPolicy.newBuilder().setCollocation(COLLOCATED)))
            .build();
    sdkCalls
        .callUnless(
            "compute.resourcePolicies.create",
            () -> policies.get().insertCallable().call(request, SdkCalls.withoutRetries()),
            answer -> answer.status() == ALREADY_EXISTS)
        .ifPresent(begun -> await(region, begun));
    known.add(name);
  }

  synchronized void delete(String region, String run) {
    for (String name : names(region, run)) {
      known.remove(name);
      DeleteResourcePolicyRequest request =
          DeleteResourcePolicyRequest.newBuilder()
              .setProject(project)
              .setRegion(region)
              .setResourcePolicy(name)
              .build();
      sdkCalls
          .callUnless(
              "compute.resourcePolicies.delete",
              () -> policies.get().deleteCallable().call(request, SdkCalls.withoutRetries()),
              ErrorResponse::isNotFound)
          .ifPresent(begun -> await(region, begun));
    }
  }

  private List<String> names(String region, String run) {
    List<String> names = new ArrayList<>();
    PagedLists.forEachPage(
        token -> {
          ListResourcePoliciesRequest request =
              ListResourcePoliciesRequest.newBuilder()
                  .setProject(project)
                  .setRegion(region)
                  .setFilter("description = \"" + description(run) + "\"")
                  .setMaxResults(PAGE)
                  .setPageToken(token)
                  .build();
          return sdkCalls.call(
              "compute.resourcePolicies.list",
              () -> policies.get().listCallable().call(request, SdkCalls.withRetries()));
        },
        ResourcePolicyList::getNextPageToken,
        page -> page.getItemsList().forEach(policy -> names.add(policy.getName())));
    return names;
  }

  private static String description(String run) {
    return "elastune-run " + run;
  }

  private void await(String region, Operation begun) {
    WaitRegionOperationRequest request =
        WaitRegionOperationRequest.newBuilder()
            .setProject(project)
            .setRegion(region)
            .setOperation(begun.getName())
            .build();
    Operation last = begun;
    for (int i = 0; i < WAITS && last.getStatus() != Operation.Status.DONE; i++) {
      last =
          sdkCalls.call(
              "compute.regionOperations.get",
              () -> operations.get().waitCallable().call(request, SdkCalls.withRetries()));
    }
    if (last.getStatus() != Operation.Status.DONE) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome(
              "Google has not finished the operation on " + begun.getTargetLink()));
    }
    ResponseMapper.operation(last)
        .failure()
        .ifPresent(
            failure -> {
              throw new CloudException(failure);
            });
  }
}
