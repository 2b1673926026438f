/** Offers of Compute Engine: machine types, prices and quotas. */
@NullMarked
package io.elastune.provisioner.gcp.offers;

import org.jspecify.annotations.NullMarked;
