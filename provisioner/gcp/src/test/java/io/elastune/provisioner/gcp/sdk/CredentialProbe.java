package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.gcp.model.ProjectApi;
import java.time.InstantSource;
import java.util.Optional;

/** Prints the identity of this process's credentials, or why there is none. */
public final class CredentialProbe {
  private CredentialProbe() {}

  public static void main(String[] arguments) {
    try (SdkProjectApi api = new SdkProjectApi(Optional.empty(), InstantSource.system())) {
      ProjectApi.Identity identity = api.identity();
      System.out.println(identity.principal() + ", project " + identity.project());
    } catch (CloudException e) {
      System.out.println(e.failure().message());
    }
    System.exit(0);
  }
}
