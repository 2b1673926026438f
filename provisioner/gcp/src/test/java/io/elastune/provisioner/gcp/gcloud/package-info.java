/** What Google's own command line makes of our Compute Engine, and of what we do there. */
@NullMarked
package io.elastune.provisioner.gcp.gcloud;

import org.jspecify.annotations.NullMarked;
