/** Offers of EC2 and their prices. */
@NullMarked
package io.elastune.provisioner.aws.offers;

import org.jspecify.annotations.NullMarked;
