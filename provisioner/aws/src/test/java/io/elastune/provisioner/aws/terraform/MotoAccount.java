package io.elastune.provisioner.aws.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.elastune.provisioner.terraform.TerraformModule;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An AWS account of moto, in a Python process, with what the Terraform provider needs. */
final class MotoAccount implements AutoCloseable {
  private final Process process;
  private final String url;

  private MotoAccount(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts an account without resources.
   *
   * @param imageParameter the public parameter of AWS with the image of the nodes
   */
  static MotoAccount start(String imageParameter) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "aws_account.py", imageParameter)
            .directory(TerraformModule.root().resolve("test").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    String url = process.inputReader(UTF_8).readLine();
    if (url == null) {
      throw new IOException("the emulated account ended");
    }
    return new MotoAccount(process, url);
  }

  /** Returns the endpoint of all services. */
  String url() {
    return url;
  }

  /** Returns the IDs of all resources of the account by type, also of types without resources. */
  Map<String, List<String>> inventory() throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url + "/inventory")).build(),
                HttpResponse.BodyHandlers.ofString());
    Map<String, List<String>> inventory = new TreeMap<>();
    for (Map.Entry<String, JsonNode> type :
        JsonMapper.shared().readTree(response.body()).properties()) {
      inventory.put(type.getKey(), type.getValue().valueStream().map(JsonNode::asString).toList());
    }
    return inventory;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
