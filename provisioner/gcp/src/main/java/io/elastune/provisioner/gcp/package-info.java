/** Google Cloud as a kind of cloud. */
@NullMarked
package io.elastune.provisioner.gcp;

import org.jspecify.annotations.NullMarked;
