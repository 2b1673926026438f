package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudException;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Prints for each profile the access key that it yields, or why it yields none. */
public final class CredentialProbe {
  private CredentialProbe() {}

  /** Resolves the credentials of each named profile. */
  public static void main(String[] profiles) {
    for (String profile : profiles) {
      System.setProperty("aws.profile", profile);
      try (DefaultCredentialsProvider credentials = DefaultCredentialsProvider.builder().build()) {
        SdkCalls calls = new SdkCalls(credentials);
        String key = calls.call("probe", () -> credentials.resolveCredentials().accessKeyId());
        System.out.println(profile + " ok " + key);
      } catch (CloudException e) {
        System.out.println(profile + " " + e.failure().message());
      }
    }
  }
}
