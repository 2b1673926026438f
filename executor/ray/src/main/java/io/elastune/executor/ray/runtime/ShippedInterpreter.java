package io.elastune.executor.ray.runtime;

import io.elastune.executor.engine.RuntimeSources;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Installation;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;

/**
 * The portable interpreter that is shipped with Elastune: CPython 3.11.3 of the JavaCPP Presets,
 * {@code org.bytedeco:cpython:3.11.3-1.5.9:linux-x86_64}, as one jar without classes in the class
 * path. Its licenses are PSF-2.0 (CPython), Apache-2.0 (OpenSSL, JavaCPP Presets), MIT (libffi,
 * Expat), bzip2-1.0.6 and Zlib.
 *
 * @see <a href="https://github.com/bytedeco/javacpp-presets/tree/1.5.9/cpython">Its build</a>
 */
final class ShippedInterpreter {
  private static final String SHA256 =
      "668b42f6a8b1a9789de7d3ca54a81fefb754cd8e885554b42858bbcbc0dd497c";
  private static final String PROGRAM = "/org/bytedeco/cpython/linux-x86_64/bin/python3";

  private ShippedInterpreter() {}

  /**
   * Returns the jar.
   *
   * @throws CloudException if it is missing
   */
  static RuntimeSources.Interpreter find() {
    URL program = ShippedInterpreter.class.getResource(PROGRAM);
    if (program == null) {
      throw new CloudException(
          new CloudFailure.Invalid(
              "This installation lacks the interpreter cpython-3.11.3-1.5.9-linux-x86_64.jar in its"
                  + " folder lib. Install the release again ("
                  + Installation.missingNodes().remedy()
                  + "), or name another interpreter with --interpreter"));
    }
    String url = program.toString();
    String jar = url.substring("jar:".length(), url.indexOf('!'));
    return new RuntimeSources.Interpreter(Path.of(URI.create(jar)), SHA256);
  }
}
