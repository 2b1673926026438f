package io.elastune.provisioner.terraform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests a module with the real Terraform and the real provider of its cloud, which is all that it
 * needs. The tests are skipped where Terraform cannot install the provider.
 */
public abstract class TerraformProviderContract {
  private final String cloud;
  private final String cli;
  private final String provider;
  @TempDir private Path scratch;

  /**
   * @param cloud the folder of the module
   * @param cli the command of the cloud that the module's scripts call
   * @param provider the provider, e.g. {@code hashicorp/aws}
   */
  protected TerraformProviderContract(String cloud, String cli, String provider) {
    this.cloud = cloud;
    this.cli = cli;
    this.provider = provider;
  }

  /** What a test does with Terraform. */
  protected interface Action {
    /** Runs commands in a folder in which the provider is installed. */
    void run(TerraformRun run) throws Exception;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void providerAcceptsTheModule() throws Exception {
    in("", run -> run.succeeds("validate", "-no-color"));
  }

  /**
   * Runs an action with the provider; skips the test where it cannot be installed.
   *
   * @param example a folder of the module; empty for the module itself
   */
  protected final void in(String example, Action action) throws Exception {
    assumeTrue(TerraformRun.isInstalled(), "skipped: no terraform on the PATH");
    TerraformRun run = new TerraformRun(scratch, cloud + "/" + example, cli);
    install(run);
    action.run(run);
  }

  /**
   * Installs the provider from the folder {@code ELASTUNE_TERRAFORM_MIRROR}, if it contains the
   * provider, and as {@code terraform init} of the user does otherwise.
   */
  private void install(TerraformRun run) throws IOException, InterruptedException {
    Optional<Path> mirror =
        Optional.ofNullable(System.getenv("ELASTUNE_TERRAFORM_MIRROR"))
            .map(Path::of)
            .filter(
                folder -> Files.isDirectory(folder.resolve("registry.terraform.io/" + provider)));
    if (mirror.isPresent()) {
      run.configuration(
          """
          provider_installation {
            filesystem_mirror {
              path = "%s"
            }
          }
          """
              .formatted(mirror.orElseThrow().toAbsolutePath()));
    } else {
      run.useConfigurationOfUser();
      run.set("TF_REGISTRY_DISCOVERY_RETRY", "0");
    }
    TerraformRun.Output output = run.terraform("init", "-no-color");
    boolean unavailable =
        mirror.isEmpty()
            && output
                .text()
                .matches(
                    "(?s).*Error: Failed to (query available provider packages|install"
                        + " provider).*");
    assumeTrue(
        !unavailable,
        () ->
            "skipped: terraform init cannot install "
                + provider
                + "; set ELASTUNE_TERRAFORM_MIRROR to a folder that terraform providers mirror"
                + " has written");
    assertThat(output.exitCode()).as(output.text()).isZero();
  }
}
