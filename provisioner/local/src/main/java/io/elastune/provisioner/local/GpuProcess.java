package io.elastune.provisioner.local;

import io.elastune.core.text.VisibleText;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * A process that uses a GPU, or a MIG device of one, as {@code nvidia-smi} lists it.
 *
 * @param gpu the UUID of the GPU or MIG device
 * @param name the name of its program
 */
record GpuProcess(String gpu, long pid, String name) {
  private static final Logger LOG = LoggerFactory.getLogger(GpuProcess.class);
  private static final String WITHOUT_DTD =
      "http://apache.org/xml/features/nonvalidating/load-external-dtd";

  /**
   * Returns all processes that use GPUs; none if the driver does not answer, with a warning.
   *
   * @param divided whether to distinguish MIG devices. The short answer names their GPU only
   */
  static List<GpuProcess> all(String tool, boolean divided) {
    try {
      return divided
          ? ofXml(NvidiaSmi.output(tool, "-q", "-x"), NvidiaSmi.output(tool, "-L").lines().toList())
          : NvidiaSmi.output(
                  tool,
                  "--query-compute-apps=gpu_uuid,pid,process_name",
                  "--format=csv,noheader,nounits")
              .lines()
              .flatMap(line -> ofLine(line).stream())
              .toList();
    } catch (IOException e) {
      LOG.warn("{} does not say which processes use the GPUs: {}", tool, e.getMessage());
      return List.of();
    }
  }

  private static Optional<GpuProcess> ofLine(String line) {
    String[] fields = line.split(",", 3);
    return fields.length < 3 ? Optional.empty() : of(fields[0], fields[1], fields[2]);
  }

  private static Optional<GpuProcess> of(String gpu, String pid, String name) {
    return pid.strip().matches("[0-9]{1,18}")
        ? Optional.of(
            new GpuProcess(
                gpu.strip(), Long.parseLong(pid.strip()), VisibleText.blank(name.strip())))
        : Optional.empty();
  }

  /**
   * Returns the processes in the complete answer, which names instances of a divided GPU by number.
   *
   * @param listed the lines of {@code nvidia-smi -L}, which have the UUIDs of MIG devices
   * @throws IOException if it is no such answer
   */
  static List<GpuProcess> ofXml(String xml, List<String> listed) throws IOException {
    Map<String, String> devices = devices(listed);
    List<GpuProcess> found = new ArrayList<>();
    for (Element gpu : children(parse(xml).getDocumentElement(), "gpu")) {
      String uuid = text(gpu, "uuid");
      Map<String, String> instances = new HashMap<>();
      for (Element device : children(child(gpu, "mig_devices"), "mig_device")) {
        Optional.ofNullable(devices.get(uuid + " " + text(device, "index")))
            .ifPresent(id -> instances.put(instance(device), id));
      }
      for (Element process : children(child(gpu, "processes"), "process_info")) {
        String id = instances.getOrDefault(instance(process), uuid);
        of(id, text(process, "pid"), text(process, "process_name")).ifPresent(found::add);
      }
    }
    return found;
  }

  /** Returns the UUIDs of MIG devices by that of their GPU and their number. */
  private static Map<String, String> devices(List<String> listed) {
    Map<String, String> devices = new HashMap<>();
    String parent = "";
    for (String line : listed) {
      Matcher gpu = GpuInventory.GPU.matcher(line);
      Matcher mig = GpuInventory.MIG.matcher(line);
      if (gpu.matches()) {
        parent = gpu.group(3);
      } else if (mig.matches()) {
        devices.put(parent + " " + mig.group(2), mig.group(3));
      }
    }
    return devices;
  }

  private static String instance(Element element) {
    return text(element, "gpu_instance_id") + "/" + text(element, "compute_instance_id");
  }

  private static Document parse(String xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(WITHOUT_DTD, false);
      factory.setExpandEntityReferences(false);
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("its answer is no XML", e);
    }
  }

  private static List<Element> children(Node parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static Node child(Element parent, String name) {
    return children(parent, name).stream().findFirst().<Node>map(n -> n).orElse(parent);
  }

  private static String text(Element parent, String name) {
    return children(parent, name).stream()
        .findFirst()
        .map(element -> element.getTextContent().strip())
        .orElse("");
  }
}
