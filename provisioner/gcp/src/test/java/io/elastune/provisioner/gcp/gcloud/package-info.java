/** Tests with Google's own command line on the fake Compute Engine. */
@NullMarked
package io.elastune.provisioner.gcp.gcloud;

import org.jspecify.annotations.NullMarked;
