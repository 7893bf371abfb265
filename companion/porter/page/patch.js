// Keyed elements, patched in place: focus, scroll and a half-made choice survive every update.

export function h(tag, props, ...children) {
  const kept = children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false && c !== "");
  return { tag, props: props || {}, children: kept };
}

const HANDLER = /^on/;

function setProps(element, props) {
  const before = element.ownProps || {};
  for (const name of Object.keys(before)) {
    if (!(name in props)) set(element, name, null);
  }
  for (const [name, value] of Object.entries(props)) {
    if (before[name] !== value) set(element, name, value);
  }
  element.ownProps = props;
}

function set(element, name, value) {
  if (name === "key" || name === "live") return;
  if (HANDLER.test(name)) element[name] = value;
  else if (name === "colour") element.style.setProperty("--colour", value);
  else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

function keyOf(node, n) {
  return typeof node === "object" ? `${node.tag} ${node.props.key ?? n}` : `text ${n}`;
}

function made(node, key) {
  const element = typeof node === "object" ? document.createElement(node.tag) : document.createTextNode("");
  element.ownKey = key;
  return element;
}

function update(element, node) {
  if (typeof node !== "object") {
    if (element.data !== String(node)) element.data = String(node);
    return;
  }
  setProps(element, node.props);
  patch(element, node.children);
  if ("live" in node.props && element !== document.activeElement && element.value !== node.props.live) element.value = node.props.live;
}

export function patch(parent, nodes) {
  const keys = nodes.map(keyOf);
  const wanted = new Set(keys);
  const known = new Map();
  for (const child of [...parent.childNodes]) {
    if (child.ownKey !== undefined && wanted.has(child.ownKey) && !known.has(child.ownKey)) known.set(child.ownKey, child);
    else child.remove();
  }
  let place = parent.firstChild;
  nodes.forEach((node, n) => {
    const element = known.get(keys[n]) || made(node, keys[n]);
    known.delete(keys[n]);
    if (element === place) place = place.nextSibling;
    else parent.insertBefore(element, place);
    update(element, node);
  });
}
